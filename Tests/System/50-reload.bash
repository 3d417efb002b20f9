settings=/etc/facefetch/facefetchd.yaml

test_reload() {
    local pid since
    scenario "settings are read again, and only when they are good"
    pid=$(main_pid)
    since=$(now)
    printf 'transfer:\n  concurrency: 3\n' >$settings
    check "systemctl reload" systemctl reload facefetchd
    check "says what it changed" within 5 finds 'transfer.concurrency' journal_since "$since"
    note "$(journal_since "$since" | grep transfer.concurrency | tail -n 1)"
    within 5 is_ready
    check "and is no restart" equal "$pid active" "$(main_pid) $(systemctl is-active facefetchd)"

    since=$(now)
    printf 'transfer:\n  concurrencey: 3\n' >$settings
    check "with a bad file it fails" refuses 1 'failed' systemctl reload facefetchd
    check "and says file, line, key and the one that was meant" \
        within 5 finds "$settings:2: .*concurrencey.*transfer.concurrency" journal_since "$since"
    check "the daemon goes on as before" equal "$pid active" "$(main_pid) $(systemctl is-active facefetchd)"
    since=$(now)
    systemctl kill --kill-whom=main --signal=HUP facefetchd
    check "SIGHUP by itself says so, too" within 5 finds "$settings:2: .*concurrencey" journal_since "$since"
    check "and it still serves" as alice facefetch status

    since=$(now)
    check "a restart with that file fails, once" refuses 1 'failed' systemctl restart facefetchd
    check "with the status of bad settings" equal "78 exit-code" "$(property ExecMainStatus) $(property Result)"
    printf '# nothing\n' >$settings
    systemctl reset-failed facefetchd.service facefetchd.socket
    check "and with a good one it runs" systemctl restart facefetchd.socket facefetchd.service
    within 10 is_ready
}

test_stop() {
    local batch began
    scenario "stopped in mid-download, it goes on where it was"
    pictures stopped
    batch=$(urls http://127.0.0.1:8002/stopped | add)
    within 10 some_are "$batch" downloading
    sleep 2
    began=$(date +%s.%N)
    check "systemctl stop" systemctl stop facefetchd.service
    check "within 5 s" at_most 5 "$(awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')"
    check "in order" equal "success 0" "$(property Result) $(property ExecMainStatus)"
    check "no process is left" equal "" "$(pgrep -u facefetch)"
    check "the socket waits on" equal active "$(systemctl is-active facefetchd.socket)"
    check "systemctl start" systemctl start facefetchd.service
    check "downloads resume at a byte" within 20 finds 'resumed download of "[^"]*" at byte [1-9]' \
        as alice facefetch log --batch "b$batch"
    check "the batch ends right" batch_ends_right "$batch" 60
}
