recipes=/etc/facefetch/sources.d

# source_is NAME STATE...: as a member sees it.
source_is() {
    local name=$1
    shift
    finds "^$name +[a-z0-9]+ +$*" as alice facefetch source list
}

all_are_done() {
    equal "$(wc -l <"$painted/sources.txt")" \
        "$(as alice facefetch list --source pictures --json | grep -c '"state":"done"')"
}

test_sources() {
    local pid since name
    scenario "recipes in files are applied at reload, and a broken one stops nobody"
    pictures sources
    for name in "$painted"/sources/*.jpg; do echo "http://127.0.0.1:8001/sources/${name##*/}"; done \
        >"$painted/sources.txt"
    as alice facefetch status >/dev/null
    within 10 is_ready
    pid=$(main_pid)
    mkdir -p $recipes
    cat >$recipes/pictures.yaml <<END
kind: lines
url: http://127.0.0.1:8001/sources.txt
every: never
END
    since=$(now)
    check "systemctl reload" systemctl reload facefetchd
    check "says that the source is new" within 5 finds 'sources.d/pictures.yaml: .*pictures is new' journal_since "$since"
    check "which reads its list to the end" within 20 source_is pictures ended
    check "and whose pictures are fetched and looked at" within 60 all_are_done

    echo 'urll: http://127.0.0.1:8001/sources.txt' >$recipes/broken.yaml
    echo 'kind: [' >$recipes/torn.yaml
    since=$(now)
    check "a reload with broken recipes succeeds" systemctl reload facefetchd
    check "and says which field is wrong, and which was meant" \
        within 5 finds 'sources.d/broken.yaml: .*urll.*url' journal_since "$since"
    check "and where a file is no YAML" within 5 finds 'sources.d/torn.yaml: .*YAML' journal_since "$since"
    check "and is no restart" equal "$pid active" "$(main_pid) $(systemctl is-active facefetchd)"
    check "the good one stays" source_is pictures ended
    check "a restart with them succeeds, too" systemctl restart facefetchd.service
    check "and the good one is there" within 10 source_is pictures ended

    rm $recipes/pictures.yaml
    systemctl reload facefetchd
    check "a source whose file is gone is paused, and says so" within 10 source_is pictures 'paused.*its file .* is gone'
    as alice sh -c 'echo "{name: mine, kind: lines, url: \"http://127.0.0.1:8001/sources.txt\"}" >~/mine.yaml
        echo "{name: spy, kind: lines, url: \"http://127.0.0.1:8001/\", headers: {key: {secret: nasa}}}" >~/spy.yaml'
    check "a member may add a source" as alice facefetch source add /home/alice/mine.yaml
    check "but not one that names a secret" refuses 2 'Only root.* may name secrets' \
        as alice facefetch source add /home/alice/spy.yaml
    check "root may add one that does" facefetch source add /home/alice/spy.yaml
    sed 's/, headers.*}}/}/' /home/alice/spy.yaml >/home/alice/theft.yaml
    check "which a member may not change" refuses 2 'only root and the daemon.s user may change or remove it' \
        as alice facefetch source apply /home/alice/theft.yaml
    check "and not remove, to add another of its name" \
        refuses 2 'only root and the daemon.s user may change or remove it' as alice facefetch source remove spy
    check "as root may" facefetch source remove spy
    # It is the administrator's, so a purge leaves it.
    rm -r $recipes
    for name in mine pictures; do check "and $name is removed" as alice facefetch source remove $name; done
    systemctl reload facefetchd
}
