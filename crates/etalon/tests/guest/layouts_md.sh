# More layouts of md, and what is refused, after layouts_begin.sh.

plan md-more '"md-4", { value = "md-6", chunk = "64KiB" }, "md-10-o2", "md-10-n3", { value = "md-5", missing = 1 }, { value = "md-1", bitmap = "internal" }' 50ms
carried_out md-more
last_facts "md-more"
without_program mdadm md-more
# Of one array alone: those before it would be made first.
plan lacking '"md-10-o2"' 50ms
without_module raid10 lacking
as_before "md-more"
