test_status() {
    local batch
    scenario "systemctl status tells what goes on"
    pictures status
    batch=$(urls http://127.0.0.1:8002/status | add)
    check "while it downloads" within 5 finds 'Status: ".*downloading' systemctl status facefetchd.service
    note "$(systemctl status facefetchd.service | grep -o 'Status: .*')"
    check "the batch ends right" batch_ends_right "$batch" 60
    note "$(systemctl status facefetchd.service | grep -o 'Status: .*')"
}

test_recovery() {
    local batch restarts pid
    scenario "a crash and a freeze are recovered from"
    restarts=$(property NRestarts)
    pictures killed
    batch=$(urls http://127.0.0.1:8002/killed | add)
    within 10 some_are "$batch" downloading
    sleep 1
    kill -KILL "$(main_pid)"
    check "killed, it is started again" within 10 equal $((restarts + 1)) "$(within 10 restarted "$restarts"; property NRestarts)"
    check "a client waits meanwhile, and is served" as alice facefetch status
    check "no detector is left of before" all_detectors_are_its
    check "the batch ends right" batch_ends_right "$batch" 60

    restarts=$(property NRestarts)
    pictures frozen
    batch=$(urls http://127.0.0.1:8002/frozen | add)
    within 10 some_are "$batch" downloading
    pid=$(main_pid)
    kill -STOP "$pid"
    SECONDS_BEFORE=$SECONDS
    check "frozen, it is started again by the watchdog" within 60 restarted "$restarts"
    note "after $((SECONDS - SECONDS_BEFORE)) s"
    within 10 is_ready
    check "as the journal says" finds 'Watchdog timeout' journalctl --unit=facefetchd --lines=100 --no-pager
    check "the batch ends right" batch_ends_right "$batch" 60
    check "it is fed from then on" equal "$((restarts + 1))" "$(property NRestarts)"
}

restarted() { [[ $(property NRestarts) -gt $1 ]] && is_ready; }
# In one look at all of them: it may start another at any moment. One that looks at a picture may have a process
# for that: it is its, too. One whose parent is gone is a child of the first process.
all_detectors_are_its() {
    equal "" "$(ps -e -o pid=,ppid=,comm= | awk -v daemon="$(main_pid)" '
        { parent[$1] = $2 }
        $3 == "facefetch-detec" { detectors[$1] }
        END {
            for (pid in detectors) {
                for (above = parent[pid]; above != daemon && above > 1; above = parent[above]);
                if (above != daemon) print pid, parent[pid]
            }
        }')"
}
