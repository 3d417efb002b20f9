# Without a package: what `make install` puts there, for the usual PREFIX, an odd one, and one that services
# don't see. What it takes of the checkout is in /srv/test/tree.
tree=/srv/test/tree

test_unpackaged() {
    scenario "make install without a package"
    if [[ ! -x $tree/.build/release/facefetchd ]]; then
        note "SKIPPED: there is no release build beside the package"
        return
    fi
    # Where nothing but this was tested, the package is still there.
    if dpkg-query --show facefetch >/dev/null 2>&1; then dpkg --purge facefetch >/dev/null 2>&1; fi
    local prefix
    for prefix in /usr/local /opt/face+fetch/1.0 /home/apps/facefetch; do unpackaged "$prefix"; done
}

# unpackaged PREFIX
unpackaged() {
    local prefix=$1 name batch
    check "PREFIX=$prefix: it is installed" env "PREFIX=$prefix" PARTS=main $tree/scripts/install-files install
    check "as it says, it can be used then" sh -c \
        'systemd-sysusers && systemctl daemon-reload && systemctl enable --now facefetchd.socket'
    usermod --append --groups facefetch alice
    name=${prefix//[^a-z]/}
    pictures "$name"
    check "systemd finds nothing to say about the units" equal "" \
        "$(systemd-analyze verify --man=no facefetchd.service facefetchd.socket 2>&1)"
    check "the first client starts the service" as alice "$prefix/bin/facefetch" status
    check "which gets ready" within 10 is_ready
    check "by the program that was installed" equal "$prefix/sbin/facefetchd" "$(readlink "/proc/$(main_pid)/exe")"
    batch=$(urls "http://127.0.0.1:8001/$name" |
        as alice "$prefix/bin/facefetch" add --from - --json | field id)
    check "pictures are fetched, and their faces counted" within 60 \
        done_by "$prefix" "$batch"
    # One process of each kind that the unit lets run.
    as alice sh -c "printf 'name: $name\nkind: lines\nurl: http://127.0.0.1:8001/$name.txt\nevery: never\n' >~/$name.yaml"
    urls "http://127.0.0.1:8001/$name" >"$painted/$name.txt"
    check "a source is read" as alice "$prefix/bin/facefetch" source add "/home/alice/$name.yaml"
    check "to its end" within 20 finds "^$name +[a-z0-9]+ +ended" as alice "$prefix/bin/facefetch" source list
    check "it is reloaded" systemctl reload facefetchd
    check "it is taken away again" env "PREFIX=$prefix" PARTS=main $tree/scripts/install-files uninstall
    check "and nothing of it runs" within 10 equal "" "$(pgrep -u facefetch)"
    check "and no program is left" equal "" "$(find "$prefix" -path '*bin/facefetch*' 2>/dev/null)"
    systemctl reset-failed facefetchd.service facefetchd.socket 2>/dev/null || true
    rm -rf "$state" /etc/facefetch
}

done_by() {
    equal 12 "$(as alice "$1/bin/facefetch" list --batch "b$2" --json | grep --count '"state":"done"')"
}
