test_removal() {
    local before
    scenario "the package is removed, then purged"
    before=$(ls $documents)
    check "it can be removed" dpkg --remove facefetch
    check "nothing of it runs" equal "" "$(pgrep -u facefetch)"
    check "its socket is gone" refuses 1 '^$' test -e /run/facefetch/control.sock
    check "its programs are gone" refuses 1 '^$' test -e /usr/sbin/facefetchd
    check "documents and jobs stay" test -e $state/facefetch.sqlite -a -e "$documents/painted-1.jpg"
    check "it can be purged, which says where documents are" finds "documents are still in $documents" dpkg --purge facefetch
    check "jobs, log and settings are gone" equal "documents" "$(ls $state /var/log/facefetch /etc/facefetch 2>/dev/null | grep -v '^$\|:$')"
    check "every document is still there" equal "$before" "$(ls $documents)"
    check "and systemd knows of no unit" equal "" "$(systemctl list-units --all --no-legend 'facefetchd.*')"
}
