### What findings say with their figures, by the codes of their checks. Each figure stands for an entry of the evidence; English sentences are those of the records.

found-cpu-starved = de taken stonden klaar en hadden { $waited_share } van de tijd geen processor.
found-clock-trouble = de klok verschoof { $step_ns } meer dan de tijd die verstreek, en de machine sliep { $suspended_ns }.
found-dirty-left = { $left_bytes } van de { $own_bytes } die geschreven zijn stond aan het eind nog in het geheugen.
found-easy-data = van de bekeken blokken heeft { $uniform_share } maar één waarde en herhaalt { $repeated_share } andere; gecomprimeerd nemen ze { $compressed_share } van hun grootte in.
found-few-operations = slechts { $operations } bewerkingen kwamen binnen de meting tot hun eind.
found-generator-late = op p99 begonnen bewerkingen { $lag_p99_ns } te laat, bij een antwoordtijd van { $response_p99_ns }.
found-lab-late = { $late_share } van de antwoorden van de gemodelleerde schijven kwam te laat: de schijven waren trager dan hun modellen.
found-memory-pressure = een taak wachtte { $memory_some_share } van de tijd op geheugen; gewisselde pagina’s: { $swapped_pages }, gedode processen: { $oom_kills }.
found-nearly-full = het bestandssysteem is voor { $used_share } vol.
found-short-stroked = willekeurige toegangen gingen over { $working_set_bytes } van de { $disk_bytes } van de schijf.
found-trimmed-before = { $trimmed_bytes } aan TRIM op { $range_bytes }: een deel daarvan had al eerder een TRIM gehad.
found-unsteady = over de meting verschoof de snelheid { $drift_share } ± { $drift_half_width_share }; haar vijfden beslaan { $range_share } van hun gemiddelde en stijgen { $rise_share }.
found-working-set = willekeurig lezen over { $working_set_bytes }, met { $cache_bytes } geheugen voor de paginacache.
found-steal = de hypervisor nam { $steal_share } van de processortijd voor anderen.
    .info = de hypervisor nam mogelijk { $steal_share } van de processortijd voor anderen; in zo’n korte meting wordt die in stappen van { $tick_share } geteld.
