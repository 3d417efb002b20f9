test_use() {
    local batch
    scenario "the first add starts the service; a batch is downloaded and detected"
    check "somebody who isn't a member is told what to do" \
        refuses 3 'sudo usermod -aG facefetch' as bob facefetch status
    check "which hasn't started the service" equal inactive "$(systemctl is-active facefetchd)"
    pictures use
    batch=$(urls http://origin.test:8001/use | add)
    check "a member adds through the socket, and the service runs" is_ready
    check "as a user of its own" equal facefetch "$(ps -o user= -p "$(main_pid)")"
    check "the batch ends right: names looked up, pictures fetched, faces counted" batch_ends_right "$batch" 60
    pictures tls
    batch=$(urls https://origin.test:8443/tls | add)
    check "and so does one over TLS" batch_ends_right "$batch" 60

    check "documents belong to the service, and are for its group to read" equal "640 facefetch facefetch" \
        "$(stat -c '%a %U %G' "$documents"/*.jpg | sort --unique)"
    check "directories are closed to others" equal "750 facefetch facefetch" \
        "$(stat -c '%a %U %G' "$state" "$documents" /var/log/facefetch | sort --unique)"
    check "partials even to the group" equal 700 "$(stat -c %a "$state/partial")"
    check "a member reads documents and the log" as alice grep --quiet stored "$documents/painted-1.jpg" "$events"
    check "others don't" refuses 1 'Permission denied' as bob cat "$documents/painted-1.jpg"
    check "the store, where URLs have their passwords, is for the service alone" equal "600 facefetch" \
        "$(stat -c '%a %U' "$state"/facefetch.sqlite* | sort --unique)"
    check "no partial is left over" equal "" "$(ls "$state/partial")"
}
