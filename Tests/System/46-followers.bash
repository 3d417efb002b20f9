# handled: the jobs that the program was run for.
handled() { sort --unique --numeric-sort /srv/handled/jobs; }
jobs_are_handled() { equal "$(as alice facefetch list --batch "b$1" --json | field id | sort --numeric-sort)" "$(handled)"; }

test_followers() {
    local batch service=facefetch-on@write-down.service
    scenario "a program is run as a service for each job that ends, over restarts of either side"
    install --directory --mode=755 /srv/handled
    install --mode=666 /dev/null /srv/handled/jobs
    mkdir -p /etc/facefetch/on
    # It runs as a user that only the service has, and writes where it was given a place.
    cat >/etc/facefetch/on/write-down <<'END'
#!/bin/sh
[ -r "$FACEFETCH_PATH" ] && echo "$FACEFETCH_JOB" >>/srv/handled/jobs
END
    chmod 755 /etc/facefetch/on/write-down
    mkdir -p /etc/systemd/system/facefetch-on@.service.d
    printf '[Service]\nReadWritePaths=/srv/handled\nEnvironment=ENDINGS=done\n' \
        >/etc/systemd/system/facefetch-on@.service.d/place.conf
    systemctl daemon-reload
    as alice facefetch status >/dev/null
    within 10 is_ready
    check "the service starts" systemctl enable --now $service
    check "and follows" within 20 finds 'Following done from number' journalctl --unit=$service --no-pager --output=cat
    check "as a user that only it has" finds '^ *6[1-5][0-9]{3}$' ps -o uid= -p "$(systemctl show --property=MainPID --value $service)"
    pictures followers
    batch=$(urls http://origin.test:8001/followers | add)
    systemctl kill --signal=KILL $service
    systemctl kill --signal=KILL facefetchd.service
    check "every job that is done is handled, though both were killed" within 90 jobs_are_handled "$batch"
    check "the batch ended right" batch_ends_right "$batch" 60
    check "and the service runs" equal active "$(systemctl is-active $service)"
    check "how far it is lies in its state directory" test -f /var/lib/facefetch-on/write-down/write-down
    check "it stops in order" systemctl disable --now $service
    check "with nothing to complain of" equal success "$(systemctl show --property=Result --value $service)"
    rm -r /etc/facefetch/on /etc/systemd/system/facefetch-on@.service.d
    systemctl daemon-reload
}
