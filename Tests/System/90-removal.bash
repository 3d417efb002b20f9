test_removal() {
    local before
    scenario "the package is removed, then purged"
    before=$(ls $documents)
    plant_links
    check "it can be removed" dpkg --remove facefetch
    check "nothing of it runs" equal "" "$(pgrep -u facefetch)"
    check "its socket is gone" refuses 1 '^$' test -e /run/facefetch/control.sock
    check "its programs are gone" refuses 1 '^$' test -e /usr/sbin/facefetchd
    check "documents and jobs stay" test -e $state/facefetch.sqlite -a -e "$documents/painted-1.jpg"
    check "it can be purged, which says where documents are" finds "documents are still in $documents" dpkg --purge facefetch
    check "jobs, log and settings are gone" equal "documents" "$(ls $state /var/log/facefetch /var/cache/facefetch /etc/facefetch 2>/dev/null | grep -v '^$\|:$')"
    check "the links that the daemon's user left led root nowhere" links_led_nowhere
    check "every document is still there" equal "$before" "$(ls $documents)"
    check "and systemd knows of no unit" equal "" "$(systemctl list-units --all --no-legend 'facefetchd.*')"
}

# What the daemon's user can leave for those who clean up: links to what isn't its own.
plant_links() {
    mkdir -p /srv/precious/.facefetch-partial
    echo precious | tee /srv/precious/file /srv/precious/.facefetch-partial/file >/srv/precious/log
    systemctl stop facefetchd 2>/dev/null
    as facefetch rm -rf $state/partial
    as facefetch ln -s /srv/precious/file $state/documents-path
    as facefetch ln -s /srv/precious $state/partial
    as facefetch ln -s /srv/precious/file $state/facefetch.sqlite-link
    as facefetch ln -s /srv/precious/.facefetch-partial $documents/.facefetch-partial
    as facefetch ln -s /srv/precious/log /var/log/facefetch/events.log.link
}
links_led_nowhere() {
    equal "precious precious precious" \
        "$(cat /srv/precious/file /srv/precious/.facefetch-partial/file /srv/precious/log | xargs)"
}
