"""A place between a gallery and its daemon at which connections break."""

import socket
import threading


class Relay:
    """Passes everything on, until it is cut."""

    def __init__(self, path, daemon):
        self.daemon, self.ends, self.is_broken = str(daemon), [], False
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                one = self.listener.accept()[0]
                if self.is_broken:
                    one.close()
                    continue
                other = socket.socket(socket.AF_UNIX)
                other.connect(self.daemon)
            except OSError:
                return
            self.ends += [one, other]
            for pair in ((one, other), (other, one)):
                threading.Thread(target=self.pass_on, args=pair, daemon=True).start()

    def pass_on(self, source, target):
        try:
            while piece := source.recv(1 << 16):
                target.sendall(piece)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        self.is_broken = True
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def mend(self):
        self.is_broken = False

    def close(self):
        self.listener.close()
