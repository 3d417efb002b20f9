test_measures() {
    local pid
    scenario "what it takes"
    systemctl stop facefetchd.service
    rm -rf $state/facefetch.sqlite* $state/partial
    systemctl start facefetchd.service
    check "with an empty store, ready within 0.5 s" at_most 0.5 "$(start_seconds)"
    note "ready after $(start_seconds) s"

    # All slots are taken by a server that never answers.
    python3 -c 'for number in range(100_000): print(f"http://127.0.0.1:8003/{number}.jpg")' >/tmp/many
    check "100,000 URLs are accepted" finds 100,000 as alice facefetch add --from /tmp/many
    systemctl stop facefetchd.service
    systemctl start facefetchd.service
    check "with 100,000 jobs queued, ready within 2 s" at_most 2 "$(start_seconds)"
    note "ready after $(start_seconds) s, then $(resident "$(main_pid)") MB"
    systemctl stop facefetchd.service
    rm -rf $state/facefetch.sqlite* $state/partial
    systemctl start facefetchd.service

    pictures measures
    check "a batch ends right" batch_ends_right "$(urls http://127.0.0.1:8001/measures | add)" 60
    # What follows work, such as writing back, is no idleness.
    sleep 5
    pid=$(main_pid)
    check "idle, it has at most 40 MB" at_most 40 "$(resident "$pid")"
    note "$(resident "$pid") MB, of them $(anonymous "$pid") MB of its own"
    check "and wakes up once a second at most" at_most 1 "$(wake_ups "$pid" 30)"
    note "$(wake_ups "$pid" 10) wake-ups a second; detectors: $(for d in $(detectors); do wake_ups "$d" 5; done | tr '\n' ' ')"
}

# From the process's start to READY=1, in seconds.
start_seconds() {
    awk -v a="$(property ExecMainStartTimestampMonotonic)" -v b="$(property ActiveEnterTimestampMonotonic)" \
        'BEGIN { print (b - a) / 1e6 }'
}
resident() { awk '/^VmRSS:/ { print $2 / 1000 }' "/proc/$1/status"; }
anonymous() { awk '/^RssAnon:/ { print $2 / 1000 }' "/proc/$1/status"; }
switches() { cat /proc/"$1"/task/*/status | awk '/ctxt_switches:/ { all += $2 } END { print all }'; }
# wake_ups PID SECONDS: how often a second one of its threads got to run.
wake_ups() {
    local before
    before=$(switches "$1")
    sleep "$2"
    awk -v a="$before" -v b="$(switches "$1")" -v s="$2" 'BEGIN { print (b - a) / s }'
}
