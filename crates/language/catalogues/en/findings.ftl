### What findings say with their figures, by the codes of their checks. Each figure stands for an entry of the evidence; English sentences are those of the records.

found-cpu-starved = the jobs were ready to run and had no processor { $waited_share } of the time.
found-clock-trouble = the wall clock moved by { $step_ns } beyond the time that passed, and the machine slept for { $suspended_ns }.
found-dirty-left = { $left_bytes } of the { $own_bytes } written were still in memory when the run ended.
found-easy-data = of the blocks looked at { $uniform_share } hold one value only and { $repeated_share } repeat others; compressed they take { $compressed_share } of their size.
found-few-operations = only { $operations } operations ended within the run.
found-generator-late = operations started { $lag_p99_ns } late at p99, where the response took { $response_p99_ns }.
found-lab-late = { $late_share } of the answers of its modelled disks were late: the disks were slower than their models.
found-memory-pressure = some task waited for memory { $memory_some_share } of the time, { $swapped_pages } pages were swapped and { $oom_kills } processes killed.
found-nearly-full = the filesystem is { $used_share } full.
found-short-stroked = random accesses went over { $working_set_bytes } of { $disk_bytes } of the disk.
found-trimmed-before = { $trimmed_bytes } were trimmed of { $range_bytes }: a part of it had been trimmed before.
found-unsteady = over the run the rate moved by { $drift_share } ± { $drift_half_width_share }; its fifths span { $range_share } of their mean and rise by { $rise_share }.
found-working-set = random reads over { $working_set_bytes } with { $cache_bytes } of memory for the page cache.
found-steal = the hypervisor took { $steal_share } of the processor time for others.
    .info = the hypervisor may have taken { $steal_share } of the processor time for others; in a run so short it is counted in steps of { $tick_share }.
