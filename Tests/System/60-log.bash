test_rotation() {
    local batch before
    scenario "the event log is rotated under its writer"
    pictures rotation
    batch=$(urls http://127.0.0.1:8002/rotation | add)
    within 10 some_are "$batch" downloading
    before=$(stat -c %i $events)
    check "logrotate" logrotate --force --verbose --state /tmp/logrotate.state /etc/logrotate.d/facefetch
    check "the daemon writes a new file" within 5 is_another "$before"
    check "of the same owner and mode" equal "640 facefetch facefetch" "$(stat -c '%a %U %G' $events)"
    check "the batch ends right" batch_ends_right "$batch" 60
    sleep 0.3
    check "no line is lost, and none is there twice" equal "$(as alice facefetch log | grep " b$batch " | sort)" \
        "$(cat $events.1 $events | grep " b$batch " | sort)"
    note "$(grep -c " b$batch " $events.1) lines of the batch before, $(grep -c " b$batch " $events) after"
    check "a second time the older one is compressed" \
        logrotate --force --state /tmp/logrotate.state /etc/logrotate.d/facefetch
    check "and readable" finds "b$batch" zcat $events.2.gz
}
is_another() { [[ -e $events && $(stat -c %i $events) != "$1" ]]; }

test_priorities() {
    local since
    scenario "the journal knows what matters"
    since=$(now)
    echo http://127.0.0.1:8001/no-such.jpg | add >/dev/null
    within 10 finds 'failed download' journal_since "$since"
    check "events have their priority" finds '^[56]$' priorities "$since" 'started download'
    printf 'disk:\n  reserve: much\n' >$settings
    systemctl kill --kill-whom=main --signal=HUP facefetchd
    within 5 finds 'reserve' journal_since "$since"
    check "an error has that of an error" finds '^3$' priorities "$since" 'reserve'
    check "so that journalctl -p err finds it" finds 'disk.reserve' \
        journalctl --unit=facefetchd --since="$since" --priority=err --output=cat
    check "and no line begins with a number in brackets" refuses 1 '^$' \
        bash -c "journalctl --unit=facefetchd --output=cat | grep '^<[0-7]>'"
    printf '# nothing\n' >$settings
    systemctl reload facefetchd
}
priorities() {
    journalctl --unit=facefetchd --since="$1" --output=json | PATTERN=$2 python3 -c '
import json, os, sys
for line in sys.stdin:
    entry = json.loads(line)
    if os.environ["PATTERN"] in str(entry["MESSAGE"]):
        print(entry["PRIORITY"])'
}
