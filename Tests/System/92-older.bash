# An upgrade from the package that OLDER names, such as the release before (its job store has the schema of 0.2.0 or
# later: an older one would be refused): with work under way, and with
# settings as they were shipped.
test_older() {
    local done slow before faces pid since settings=/etc/facefetch/facefetchd.yaml
    if [[ ! -e /srv/test/older.deb ]]; then return; fi
    scenario "an upgrade from $(dpkg-deb --field /srv/test/older.deb Version)"
    # What went wrong before was meant to.
    since=$(date +@%s)
    if dpkg-query --show facefetch >/dev/null 2>&1; then dpkg --purge facefetch >/dev/null 2>&1; fi
    rm -rf "$state"
    check "the older one is installed" dpkg --install /srv/test/older.deb
    usermod --append --groups facefetch alice
    pictures older-fast
    pictures older-slow
    done=$(urls http://127.0.0.1:8001/older-fast | add)
    within 60 all_are "$done" done
    as alice sh -c "printf 'name: older\nkind: lines\nurl: http://127.0.0.1:8001/older.txt\nevery: never\n' >~/older.yaml"
    urls http://127.0.0.1:8001/older-fast >"$painted/older.txt"
    as alice facefetch source add /home/alice/older.yaml
    within 20 finds '^older +[a-z0-9]+ +ended' as alice facefetch source list
    slow=$(urls http://127.0.0.1:8002/older-slow | add)
    within 10 some_are "$slow" downloading
    before=$(as alice facefetch list --json | field id | sort)
    faces=$(jobs_of "$done" | field detection.face_count | sort)
    pid=$(main_pid)
    check "this one is, without a question" sh -c 'dpkg --install /srv/test/facefetch.deb </dev/null'
    check "and runs" within 20 is_ready
    check "instead of the older one" refuses 1 '^$' test "$pid" = "$(main_pid)"
    check "by its version" equal "facefetch $(dpkg-query --show --showformat='${Version}' facefetch | sed 's/~.*//')" \
        "$(facefetch --version)"
    check "with the jobs of before" equal "$before" "$(as alice facefetch list --json | field id | sort)"
    check "and their faces" equal "$faces" "$(jobs_of "$done" | field detection.face_count | sort)"
    check "and their documents" batch_is_right "$done"
    check "the source is still there" finds '^older +' as alice facefetch source list
    check "what was under way ends right" batch_ends_right "$slow" 90
    check "what is new does, too" batch_ends_right "$(urls http://127.0.0.1:8001/older-slow | add)" 60
    check "its settings are good" finds '^transfer.concurrency: .*# default$' \
        facefetchd check-config --config "$settings"
    check "nothing went wrong" refuses 1 '^$' bash -c \
        "journalctl --unit=facefetchd --since=$since --priority=err --output=cat | grep ."
    check "it can be purged" dpkg --purge facefetch
    rm -rf "$state"
    dpkg --install /srv/test/older.deb >/dev/null 2>&1
    printf 'transfer:\n  concurrency: 5\n' >"$settings"
    check "where its settings were changed, this one is installed by who wants to keep them" \
        dpkg --force-confold --install /srv/test/facefetch.deb
    check "and they are kept" finds '^transfer.concurrency: 5 ' \
        facefetchd check-config --config "$settings"
    check "which it can be purged of, too" dpkg --purge facefetch
    rm -rf "$state"
}
