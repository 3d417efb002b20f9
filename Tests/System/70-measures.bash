test_measures() {
    local pid rest wake_ups of_threads slowest peak
    scenario "what it takes"
    systemctl stop facefetchd.service 2>/dev/null
    rm -rf "$state"/facefetch.sqlite* "$state/partial"
    check "with an empty store, ready within 0.5 s" starts_within 0.5

    # All permits are taken by a server that never answers.
    python3 -c 'for number in range(100_000): print(f"http://127.0.0.1:8003/{number}.jpg")' >/tmp/many
    check "100,000 URLs are accepted" finds 100,000 as alice facefetch add --from /tmp/many
    check "with 100,000 jobs queued, ready within 2 s" starts_within 2
    note "$(resident "$(main_pid)") MB then"
    systemctl stop facefetchd.service 2>/dev/null
    rm -rf "$state"/facefetch.sqlite* "$state/partial"
    systemctl start facefetchd.service

    pictures measures
    check "a batch ends right" batch_ends_right "$(urls http://127.0.0.1:8001/measures | add)" 60
    check "half a minute later it has no detectors" within 40 has_no_detectors
    pid=$(main_pid)
    check "idle, it has at most 40 MB, the pages of its programs included" within 15 rests "$pid"
    note "$(resident "$pid") MB resident, of them $(anonymous "$pid") MB of its own; $(proportional "$pid") MB by its share"
    check "no library complains in the journal" refuses 1 '^$' \
        bash -c "journalctl --unit=facefetchd --output=cat | grep 'thread priority'"
    # libdispatch looks after its threads once a second, which can't be turned off. Nothing else
    # may come as often; the rounds of the watchdog, every 15 s, are all that comes on top.
    # In the first minute it may still be ending the threads that the batch has taken.
    for _ in first second; do
        read -r rest wake_ups of_threads < <(python3 /srv/test/wake-ups.py "$pid" 60)
        if at_most 1.25 "$wake_ups" >/dev/null; then break; fi
    done
    check "nothing wakes it more than once a second: it rests for one at a time" at_most "$rest" 1
    check "and little on top of that" at_most 1.25 "$wake_ups"
    note "woken $wake_ups times a second; $of_threads if each of its threads counts by itself"
    check "a client is served as before" as alice facefetch list
    note "$(resident "$pid") MB resident then"

    read -r slowest peak < <(python3 /srv/test/hostile-posts.py /run/facefetch/control.sock "$pid")
    check "with hostile posts under way, 200 statuses are answered within 0.1 s each" at_most 0.1 "$slowest"
    check "and it stays below 300 MB" at_most 300 "$peak"
    note "the slowest status took $slowest s, and the daemon had $peak MB at its peak"
}

has_no_detectors() { ! detectors; }

# starts_within SECONDS: the quickest of three starts, because what else the
# machine does can only make one slower.
starts_within() {
    local best=1000 seconds try
    for try in 1 2 3; do
        systemctl stop facefetchd.service 2>/dev/null
        # As an administrator would after so many.
        systemctl reset-failed facefetchd.service 2>/dev/null
        systemctl start facefetchd.service || return 1
        seconds=$(start_seconds)
        note "start $try: ready after $seconds s" >>report
        best=$(printf '%s\n%s\n' "$best" "$seconds" | sort --general-numeric-sort | head -n 1)
    done
    at_most "$1" "$best"
}
# From the process's start to READY=1, in seconds.
start_seconds() {
    awk -v a="$(property ExecMainStartTimestampMonotonic)" -v b="$(property ActiveEnterTimestampMonotonic)" \
        'BEGIN { print (b - a) / 1e6 }'
}
resident() { awk '/^VmRSS:/ { print $2 / 1000 }' "/proc/$1/status"; }
rests() { at_most 40 "$(resident "$1")"; }
proportional() { awk '/^Pss:/ { print $2 / 1000 }' "/proc/$1/smaps_rollup"; }
anonymous() { awk '/^RssAnon:/ { print $2 / 1000 }' "/proc/$1/status"; }
