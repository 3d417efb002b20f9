test_person() {
    local user runtime documents=/home/bob/Documents/facefetch
    scenario "a person has a daemon of their own"
    user=$(id -u bob)
    runtime=/run/user/$user
    # What user@.service does, without a login: nobody logs in to a container.
    install --directory --owner=bob --mode=700 "$runtime"
    systemd-run --quiet --unit=manager-of-bob --service-type=notify --property=Delegate=yes --uid=bob \
        --setenv=XDG_RUNTIME_DIR="$runtime" --setenv=HOME=/home/bob /lib/systemd/systemd --user
    within 10 test -S "$runtime/systemd/private"
    check "enabled by its socket" person systemctl --user enable --now facefetchd.socket
    check "which is nobody else's" equal "600 bob" "$(stat -c '%a %U' "$runtime/facefetch/control.sock")"
    check "the first add starts it" person facefetch add --wait http://origin.test:8001/painted-3.jpg
    check "the document is among the person's" cmp $documents/painted-3.jpg $painted/painted-3.jpg
    check "it runs as that person" equal bob "$(ps -o user= -p "$(person systemctl --user show --property=MainPID --value facefetchd)")"
    check "and stops in order" person systemctl --user stop facefetchd.socket facefetchd.service
    check "with nothing to complain of" equal success \
        "$(person systemctl --user show --property=Result --value facefetchd)"
    systemctl stop manager-of-bob.service
}
person() { as bob env XDG_RUNTIME_DIR="/run/user/$(id -u bob)" HOME=/home/bob "$@"; }

test_upgrade() {
    local pid
    scenario "the package is installed over itself"
    as alice facefetch status >/dev/null
    pid=$(main_pid)
    as alice facefetch list --json | field id | sort >/tmp/before
    check "the new one is installed" dpkg --install --force-confold /srv/test/facefetch.deb
    check "and runs" within 10 is_ready
    check "instead of the old one" refuses 1 '^$' test "$pid" = "$(main_pid)"
    check "with the jobs of before" equal "$(cat /tmp/before)" "$(as alice facefetch list --json | field id | sort)"
    systemctl stop facefetchd.service
    check "one that doesn't run" dpkg --install --force-confold /srv/test/facefetch.deb
    check "is not started by that" equal inactive "$(systemctl is-active facefetchd)"
    check "but its socket still waits" as alice facefetch status
}
