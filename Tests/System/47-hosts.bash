secrets=/etc/facefetch/secrets

# secret NAME MODE: from standard input, for the daemon's group.
secret() {
    cat >"$secrets/$1"
    chown root:facefetch "$secrets/$1"
    chmod "$2" "$secrets/$1"
}

# Neither what a host gets nor what a job brings is told anywhere.
is_told_nowhere() {
    ! { journalctl --no-pager --output=cat; cat "$events"; as alice facefetch list --json; } |
        grep -E 'hosts-(token|cookie)'
}

test_hosts() {
    local batch pid since
    scenario "hosts have limits and secrets of their own, which a reload brings and takes back"
    pictures hosts
    systemd-run --quiet --unit=origin-guarded python3 /srv/test/guarded-origin.py "$painted" 8004
    within 10 listens 8004
    as alice facefetch status >/dev/null
    within 10 is_ready
    pid=$(main_pid)
    batch=$(urls http://origin.test:8004/hosts | add)
    check "without the host's secrets all fail" within 30 all_are "$batch" failed

    mkdir -p "$secrets"
    echo 'Authorization: Bearer hosts-token' | secret guarded-headers 640
    printf 'origin.test\tFALSE\t/\tFALSE\t0\tsession\thosts-cookie\n' | secret guarded-cookies 640
    cat >/etc/facefetch/facefetchd.yaml <<END
transfer: {pace: 50/s}
hosts:
  origin.test: {headers: guarded-headers, cookies: guarded-cookies}
  127.0.0.1: {pace: 2/s, per-host: 3}
END
    since=$(now)
    check "systemctl reload" systemctl reload facefetchd
    check "says what it changed" within 5 finds 'hosts.origin.test.headers is now' journal_since "$since"
    check "check-config shows it, with its line" \
        finds 'hosts.127.0.0.1.pace: 2/s  # .*facefetchd.yaml:4' env "FACEFETCH_SECRETS_DIRECTORY=$secrets" \
        facefetchd check-config --config /etc/facefetch/facefetchd.yaml
    check "a retry" as alice facefetch retry --batch "b$batch"
    check "brings all of them" batch_ends_right "$batch" 60
    check "and is no restart" equal "$pid active" "$(main_pid) $(systemctl is-active facefetchd)"

    pictures slow-hosts
    batch=$(urls http://127.0.0.1:8002/slow-hosts | add)
    check "facefetch hosts shows who waits, and at which pace" \
        within 10 finds '^127.0.0.1:8002 +[1-3] +[0-9]+ +2/s' as alice facefetch hosts
    check "cancelling them" as alice facefetch cancel --batch "b$batch"
    check "ends it" within 10 finds 'Nothing is to be fetched' as alice facefetch hosts

    printf 'origin.test\tFALSE\t/\tFALSE\t0\tsession\thosts-cookie\n' >/tmp/cookies.txt
    chmod 644 /tmp/cookies.txt
    batch=$(urls http://origin.test:8004/hosts | as alice facefetch add --from - --cookies /tmp/cookies.txt --json | field id)
    check "a job may bring cookies itself" batch_ends_right "$batch" 60
    check "nothing of that is told anywhere" is_told_nowhere

    chmod 644 "$secrets/guarded-headers"
    check "a secret that others can read is refused" refuses 1 'failed' systemctl reload facefetchd
    since=$(now)
    systemctl kill --kill-whom=main --signal=HUP facefetchd
    check "by its key" within 5 finds 'hosts.origin.test.headers: .*read or changed by others' journal_since "$since"
    rm "$secrets/guarded-headers"
    since=$(now)
    systemctl kill --kill-whom=main --signal=HUP facefetchd
    check "and so is one that isn't there" within 5 finds 'hosts.origin.test.headers: there is no secret' journal_since "$since"
    check "the daemon goes on as before" equal "$pid active" "$(main_pid) $(systemctl is-active facefetchd)"

    echo '# nothing' >/etc/facefetch/facefetchd.yaml
    rm -r "$secrets"
    since=$(now)
    check "a reload takes all of it back" systemctl reload facefetchd
    check "and says so" within 5 finds 'hosts.origin.test.headers is now not set' journal_since "$since"
    batch=$(urls http://origin.test:8004/hosts | add)
    check "then the host refuses as before" within 30 all_are "$batch" failed
    systemctl stop origin-guarded
}
