test_confinement() {
    local batch detector main
    scenario "daemon and detectors are confined"
    pictures confinement
    batch=$(urls http://127.0.0.1:8001/confinement | add)
    main=$(main_pid)
    within 20 detectors
    detector=$(detectors | head -n 1)
    check "the directory of its socket isn't its own" equal "755 root root" "$(stat -c '%a %U %G' /run/facefetch)"
    check "the daemon has no capabilities, can't get any, and is filtered" equal "0000000000000000 1 2" \
        "$(of "$main" CapEff) $(of "$main" NoNewPrivs) $(of "$main" Seccomp)"
    check "so is a detector" equal "0000000000000000 1 2" \
        "$(of "$detector" CapEff) $(of "$detector" NoNewPrivs) $(of "$detector" Seccomp)"
    check "by a filter of its own, on top of the unit's" within 10 has_filter_more "$detector" "$main"
    check "it lets all others go first" finds '^ *10 +B$' ps -o nice=,class= -p "$detector"
    check "and goes first itself where there is no memory" equal 500 "$(cat "/proc/$detector/oom_score_adj")"
    check "it has Landlock: what it tries inside the unit is refused" probes_are_refused
    check "what reads pages has it, too" page_probes_are_refused
    check "it can execute its own programs, and no others" others_are_not_executed
    check "nothing that it can write to can be executed" equal "" "$(writable_and_executable "$main")"
    note "$(journalctl --unit=facefetchd-probe --output=cat | grep -c '^refused: ') attempts refused"
    check "the batch ends right" batch_ends_right "$batch" 60
    pictures_of_every_format
}

# Those that libraries of their own read (LibRaw, libtiff, libheif, libjxl, OpenJPEG) as well: none of them
# wants what the sandbox refuses.
pictures_of_every_format() {
    local began batch names
    began=$(now)
    names=$(/srv/test/test-origin paint --every-format "$painted/formats" | sed 's|.*/||')
    chmod -R a+rX "$painted"
    batch=$(sed 's|^|http://127.0.0.1:8001/formats/|' <<<"$names" | add)
    check "pictures of every format, also cameras' RAW files, are looked at" batch_ends_right "$batch" 60
    check "two faces in each" equal "$(sed 's/.*/2/' <<<"$names")" "$(jobs_of "$batch" | field detection.face_count)"
    check "in 10 formats" equal "bmp gif heif jp2 jpeg jxl png raw tiff webp" \
        "$(jobs_of "$batch" | field detection.format | sort --unique | paste --serial --delimiters=' ')"
    check "no decoder wanted what it may not have" equal "" \
        "$(journal_since "$began" | grep -E 'tried to open|no decoder makes|threads too many')"
    note "$(wc -l <<<"$names") files: $(paste --serial --delimiters=' ' <<<"$names")"
}

has_filter_more() { [[ $(of "$1" Seccomp_filters) -eq $(($(of "$2" Seccomp_filters) + 1)) ]]; }
of() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status"; }

# The service's own unit, with all its confinement, but what it runs is another
# command: it succeeds where that does.
probe() {
    sed -e '/^Exec[A-Z][a-z]*=/{/^ExecPaths=/!d}; /^Type=/d; /^Watchdog/d; /^Restart/d; /^Requires=/d; /^After=/d' \
        -e '/^StandardOutput=/d' \
        -e "/^\\[Service\\]/a Type=oneshot\\nStandardOutput=journal\\nExecStart=$*" \
        /lib/systemd/system/facefetchd.service >/run/systemd/system/facefetchd-probe.service
    systemctl daemon-reload
    systemctl start facefetchd-probe.service
}

# A detector that closes its sandbox and then tries to get out: it ends with 1
# where anything was allowed.
probes_are_refused() {
    local since
    since=$(now)
    probe /usr/bin/facefetch-detector --require-landlock --check-sandbox \
        /var/lib/facefetch/documents/painted-1.jpg ||
        { journalctl --unit=facefetchd-probe --output=cat; return 1; }
    within 5 finds '^refused: open a TCP socket' journalctl --unit=facefetchd-probe --since="$since" --output=cat
}

# The same for what reads pages of sources.
page_probes_are_refused() {
    local since
    since=$(now)
    probe /usr/bin/facefetch-lister --require-landlock --time-limit 5 --check-sandbox \
        /var/lib/facefetch/documents/painted-1.jpg ||
        { journalctl --unit=facefetchd-probe --output=cat; return 1; }
    within 5 finds '^refused: open a TCP socket' journalctl --unit=facefetchd-probe --since="$since" --output=cat
}

# Neither a program of the system nor one that was downloaded.
others_are_not_executed() {
    install --owner=facefetch --mode=755 /usr/bin/true $documents/true
    local program
    for program in /usr/bin/true $documents/true; do
        if probe "$program"; then
            echo "$program was executed"
            return 1
        fi
        equal 203 "$(systemctl show --property=ExecMainStatus --value facefetchd-probe)" || return 1
    done
    rm $documents/true
}

# Folders, as the daemon sees them, to which its user can write a program and
# then execute it there.
writable_and_executable() {
    local folder program
    for folder in / /tmp /var/tmp /dev /dev/shm /run /run/facefetch /etc/facefetch $state $documents \
        /var/cache/facefetch /var/log/facefetch; do
        program=/proc/$1/root$folder/probe
        if as facefetch cp /usr/bin/true "$program" 2>/dev/null; then
            if as facefetch "$program" 2>/dev/null; then echo "$folder"; fi
            as facefetch rm "$program"
        fi
    done
}
