# What the scenarios have in common: checks that print a line each, the two
# people of the story, servers to download from, and questions about the service.

failures=0
checks=0
state=/var/lib/facefetch
documents=$state/documents
events=/var/log/facefetch/events.log
painted=/srv/painted

scenario() { printf '\n# %s\n' "$1"; }

# check WORDS COMMAND...: the command has to succeed; what it says is shown when it doesn't.
check() {
    local words=$1 said
    shift
    checks=$((checks + 1))
    if said=$("$@" 2>&1); then
        echo "ok - $words"
    else
        failures=$((failures + 1))
        echo "not ok - $words"
        printf '    %s\n' "\$ $*"
        tail -n 20 <<<"$said" | sed 's/^/    /'
        # All of it: a person's daemon has one, too, and systemd says why it doesn't start either.
        journalctl --lines=12 --no-pager --output=short-precise |
            cut -c 1-200 | sed 's/^/    journal: /'
    fi
}

note() { printf '    %s\n' "$1"; }

# within SECONDS COMMAND...: tries again and again until the command succeeds.
within() {
    local end=$((SECONDS + $1))
    shift
    while ((SECONDS <= end)); do
        if "$@" >/dev/null 2>&1; then return 0; fi
        sleep 0.1
    done
    "$@"
}

equal() {
    if [[ $1 == "$2" ]]; then return 0; fi
    printf 'expected: %s\nfound:    %s\n' "$1" "$2"
    return 1
}

# at_most LIMIT NUMBER; both may have fractions.
at_most() {
    if awk -v limit="$1" -v number="$2" 'BEGIN { exit !(number != "" && number <= limit) }'; then return 0; fi
    echo "found $2, which is more than $1"
    return 1
}

# finds PATTERN COMMAND...: what the command says has a line like that.
finds() {
    local pattern=$1 said
    shift
    said=$("$@" 2>&1) || true
    if grep -qE -- "$pattern" <<<"$said"; then return 0; fi
    printf 'no line like: %s\nin:\n%s\n' "$pattern" "$said"
    return 1
}

# refuses STATUS PATTERN COMMAND...: it ends with that status and says that.
refuses() {
    local expected=$1 pattern=$2 said status=0
    shift 2
    said=$("$@" 2>&1) || status=$?
    equal "$expected" "$status" && grep -qE -- "$pattern" <<<"$said" && return 0
    echo "$said"
    return 1
}

# Alice is a member of the group, Bob isn't.
make_people() {
    useradd --create-home --groups facefetch alice
    useradd --create-home bob
}
as() {
    local who=$1
    shift
    runuser --user "$who" -- "$@"
}

property() { systemctl show --property="$1" --value facefetchd.service; }
main_pid() { property MainPID; }
is_ready() { [[ $(property ActiveState)/$(property SubState) == active/running ]]; }
detectors() { pgrep --parent "$(main_pid)" --exact facefetch-detec; }

# Since a moment that `now` gave: what the journal has of the service.
now() { date +'%Y-%m-%d %H:%M:%S.%6N'; }
journal_since() { journalctl --unit=facefetchd.service --since="$1" --no-pager --output=cat; }

# Paints pictures, and serves them: as fast as can be by name and by TLS, and
# slowly, so that there is time to interrupt a download.
serve_pictures() {
    mkdir -p "$painted"
    /srv/test/test-origin paint "$painted" --count 12 >/dev/null
    systemd-run --quiet --unit=origin-fast /srv/test/test-origin serve --directory "$painted" --port 8001
    systemd-run --quiet --unit=origin-slow /srv/test/test-origin serve --directory "$painted" --port 8002 --rate 12000
    # Accepts connections and never answers.
    systemd-run --quiet --unit=origin-silent python3 -c '
import signal, socket
server = socket.create_server(("127.0.0.1", 8003), backlog=4096)
signal.pause()'
    # The name origin.test takes a DNS server, not /etc/hosts.
    systemd-run --quiet --unit=names python3 /srv/test/name-server.py
    # What stands there may be a link to elsewhere, or no file at all.
    rm -f /etc/resolv.conf
    echo 'nameserver 127.0.0.1' >/etc/resolv.conf

    mkdir -p /srv/tls
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=origin.test \
        -addext subjectAltName=DNS:origin.test \
        -keyout /srv/tls/key.pem -out /srv/tls/cert.pem 2>/dev/null
    cp /srv/tls/cert.pem /usr/local/share/ca-certificates/origin-test.crt
    update-ca-certificates >/dev/null 2>&1
    cat >/srv/tls/nginx.conf <<END
daemon off;
pid /srv/tls/pid;
error_log stderr;
events {}
http {
    access_log off;
    types { image/jpeg jpg; }
    server {
        listen 127.0.0.1:8443 ssl;
        ssl_certificate /srv/tls/cert.pem;
        ssl_certificate_key /srv/tls/key.pem;
        root $painted;
    }
}
END
    systemd-run --quiet --unit=origin-tls /usr/sbin/nginx -c /srv/tls/nginx.conf
    local port
    for port in 8001 8002 8003 8443; do within 10 listens "$port"; done
}
listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# pictures NAME: pictures of this name's own. Bytes that were looked at before
# aren't looked at again, so these end differently.
pictures() {
    local picture
    mkdir -p "$painted/$1"
    for picture in "$painted"/*.jpg; do
        { cat "$picture"; echo "$1"; } >"$painted/$1/${picture##*/}"
    done
    chmod -R a+rX "$painted"
}

# urls BASE/NAME
urls() {
    local number
    for number in {1..12}; do echo "$1/painted-$number.jpg"; done
}

# Prints one field, such as detection.face_count, of JSON Lines.
field() {
    python3 -c 'import json, sys
for line in sys.stdin:
    value = json.loads(line)
    for key in sys.argv[1].split("."):
        value = None if value is None else value[key]
    print(value)' "$1"
}
# Alice adds what standard input lists; prints the batch's number.
add() { as alice facefetch add --from - --json | field id; }
jobs_of() { as alice facefetch list --batch "b$1" --json; }
all_are() { [[ $(jobs_of "$1" | field state | sort --unique) == "$2" ]]; }
some_are() { jobs_of "$1" | field state | grep --quiet "$2"; }

# Every job is done; its document is the very picture that was served under the
# job's URL, and has the faces that the detector finds in it by hand.
batch_is_right() {
    all_are "$1" done || { jobs_of "$1" | field state | sort | uniq --count; return 1; }
    jobs_of "$1" | PAINTED=$painted python3 /srv/test/compare.py
}
# Alike, for a batch that is still at work.
batch_ends_right() { within "$2" all_are "$1" done; batch_is_right "$1"; }
