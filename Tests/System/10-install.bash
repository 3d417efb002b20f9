gallery=/usr/libexec/facefetch/facefetch-gallery
programs=(/usr/bin/facefetch /usr/bin/facefetch-detector /usr/bin/facefetch-lister /usr/sbin/facefetchd "$gallery")

test_install() {
    scenario "the package is installed, and asks nothing"
    check "it can be installed" dpkg --install /srv/test/facefetch.deb
    check "what it depends on is there" equal "install ok installed" \
        "$(dpkg-query --show --showformat='${Status}' facefetch)"
    check "the machine has no swift" refuses 127 'not found' swift --version
    check "no program needs a library that isn't there, or one of Swift's" needs_no_swift
    check "the programs run" programs_run
    check "the user exists" getent passwd facefetch
    check "the socket waits" equal "active enabled" \
        "$(systemctl is-active facefetchd.socket) $(systemctl is-enabled facefetchd.socket)"
    check "the service goes on at the next boot, and hasn't been started" equal "inactive enabled" \
        "$(systemctl is-active facefetchd) $(systemctl is-enabled facefetchd)"
    check "the socket is for the group" equal "660 root facefetch" "$(stat -c '%a %U %G' /run/facefetch/control.sock)"
    check "the settings are a conffile of the package" finds '^ /etc/facefetch/facefetchd.yaml' \
        dpkg-query --show --showformat='${Conffiles}' facefetch
    check "the settings as shipped are good, and change nothing" \
        finds '^transfer.concurrency: .*# default$' \
        facefetchd check-config --config /etc/facefetch/facefetchd.yaml
    check "and what can be set is told beside them" finds '^  #concurrency: 16$' \
        cat /usr/share/doc/facefetch/facefetchd.yaml
    check "there are manual pages" man_pages
    check "it says what is linked into its programs, in which versions" linked_is_listed
    check "there are completions" completions
    check "systemd finds nothing to say about the units" units_are_clean
    check "a score of 1.4 or better" at_most 1.4 "$(score)"
    note "systemd-analyze security: $(score)"
    make_people
    serve_pictures
}

needs_no_swift() {
    local program
    for program in "${programs[@]}"; do
        refuses 1 '^$' bash -c "ldd $program | grep -E 'not found|libswift|Foundation|libdispatch'" || return 1
    done
}
linked_is_listed() {
    local name
    for name in swift swift-nio swift-http-types GRDB.swift; do
        finds "^$name [0-9]+(\\.[0-9]+)+ [^ ]+ https://[^ ]+ .*facefetchd" \
            cat /usr/share/doc/facefetch/linked-statically || return 1
    done
}
programs_run() {
    facefetch --version && facefetchd --version && facefetch-detector --help && facefetch-lister --help &&
        "$gallery" --version && [[ -s /usr/share/facefetch/gallery/index.html ]]
}
man_pages() { man --where facefetch facefetch-detector facefetch-lister facefetch-source facefetchd facefetchd.yaml; }
completions() {
    bash -c 'source /usr/share/bash-completion/completions/facefetch && complete -p facefetch' &&
        [[ -s /usr/share/zsh/vendor-completions/_facefetch ]] &&
        [[ -s /usr/share/fish/vendor_completions.d/facefetch.fish ]]
}
units_are_clean() {
    equal "" "$(systemd-analyze verify /lib/systemd/system/facefetchd.{service,socket} 2>&1)" &&
        equal "" "$(XDG_RUNTIME_DIR=/run systemd-analyze verify --user /usr/lib/systemd/user/facefetchd.{service,socket} 2>&1)"
}
score() {
    systemd-analyze security --offline=yes --no-pager /lib/systemd/system/facefetchd.service |
        sed -n 's/.*exposure level.*: \([0-9.]*\) .*/\1/p'
}
