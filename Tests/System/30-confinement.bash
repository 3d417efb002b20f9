test_confinement() {
    local batch detector main
    scenario "daemon and detectors are confined"
    pictures confinement
    batch=$(urls http://127.0.0.1:8001/confinement | add)
    main=$(main_pid)
    within 20 detectors
    detector=$(detectors | head -n 1)
    check "the daemon has no capabilities, can't get any, and is filtered" equal "0000000000000000 1 2" \
        "$(of "$main" CapEff) $(of "$main" NoNewPrivs) $(of "$main" Seccomp)"
    check "so is a detector" equal "0000000000000000 1 2" \
        "$(of "$detector" CapEff) $(of "$detector" NoNewPrivs) $(of "$detector" Seccomp)"
    check "by a filter of its own, on top of the unit's" within 10 has_filter_more "$detector" "$main"
    check "it lets all others go first" finds '^ *10 +B$' ps -o nice=,class= -p "$detector"
    check "and goes first itself where there is no memory" equal 500 "$(cat "/proc/$detector/oom_score_adj")"
    check "it has Landlock: what it tries inside the unit is refused" probes_are_refused
    note "$(journalctl --unit=facefetchd-probe --output=cat | grep -c '^refused: ') attempts refused"
    check "the batch ends right" batch_ends_right "$batch" 60
}

has_filter_more() { [[ $(of "$1" Seccomp_filters) -eq $(($(of "$2" Seccomp_filters) + 1)) ]]; }
of() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status"; }

# The service's own unit, with all its confinement, but what it runs is a
# detector that closes its sandbox and then tries to get out. It ends with 1
# where anything was allowed.
probes_are_refused() {
    sed -e '/^Exec/d; /^Type=/d; /^Watchdog/d; /^Restart/d; /^Requires=/d; /^After=/d; /^StandardOutput=/d' \
        -e '/^\[Service\]/a Type=oneshot\nStandardOutput=journal\nExecStart=/usr/bin/facefetch-detector --require-landlock --check-sandbox /var/lib/facefetch/documents/painted-1.jpg' \
        /lib/systemd/system/facefetchd.service >/run/systemd/system/facefetchd-probe.service
    systemctl daemon-reload
    systemctl start facefetchd-probe.service || { journalctl --unit=facefetchd-probe --output=cat; return 1; }
    finds '^refused: open a TCP socket' journalctl --unit=facefetchd-probe --output=cat
}
