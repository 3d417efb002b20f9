test_measures() {
    local pid
    scenario "what it takes"
    systemctl stop facefetchd.service 2>/dev/null
    rm -rf "$state"/facefetch.sqlite* "$state/partial"
    check "with an empty store, ready within 0.5 s" starts_within 0.5

    # All slots are taken by a server that never answers.
    python3 -c 'for number in range(100_000): print(f"http://127.0.0.1:8003/{number}.jpg")' >/tmp/many
    check "100,000 URLs are accepted" finds 100,000 as alice facefetch add --from /tmp/many
    check "with 100,000 jobs queued, ready within 2 s" starts_within 2
    note "$(resident "$(main_pid)") MB then"
    systemctl stop facefetchd.service 2>/dev/null
    rm -rf "$state"/facefetch.sqlite* "$state/partial"
    systemctl start facefetchd.service

    pictures measures
    check "a batch ends right" batch_ends_right "$(urls http://127.0.0.1:8001/measures | add)" 60
    # What follows work, such as writing back, is no idleness.
    sleep 5
    check "half a minute later it has no detectors" within 40 has_no_detectors
    pid=$(main_pid)
    check "idle, it has at most 40 MB of its own" at_most 40 "$(anonymous "$pid")"
    aim "and with the pages of its programs" at_most 40 "$(resident "$pid")"
    note "$(resident "$pid") MB, of them $(anonymous "$pid") MB of its own"
    aim "no library complains in the journal" refuses 1 '^$' \
        bash -c "journalctl --unit=facefetchd --output=cat | grep 'thread priority'"
    # libdispatch looks after its threads once a second, which can't be turned off, and the
    # watchdog wakes each part that it asks.
    aim "and wakes up once a second at most" at_most 1 "$(wake_ups "$pid" 30)"
    note "$(wake_ups "$pid" 10) wake-ups a second"
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
anonymous() { awk '/^RssAnon:/ { print $2 / 1000 }' "/proc/$1/status"; }
switches() { cat /proc/"$1"/task/*/status | awk '/^voluntary_ctxt_switches:/ { all += $2 } END { print all }'; }
# wake_ups PID SECONDS: how often a second one of its threads got to run.
wake_ups() {
    local before
    before=$(switches "$1")
    sleep "$2"
    awk -v a="$before" -v b="$(switches "$1")" -v s="$2" 'BEGIN { print (b - a) / s }'
}
