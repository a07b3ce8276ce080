#!/usr/bin/env python3
"""Takes the pictures of the page: the demo of `openclaw`, shown by a headless Chromium.

    docs/images/page.py BINARY OUT [NAME...]

BINARY is `openclaw`; OUT is a folder. The names are those of `PICTURES`; without names, all are taken. The demo is made in
an empty folder, the service runs on a free port, and a proxy signs the browser in. Needs Chromium.
"""

import http.client
import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.parse

# Name: address, width and height of the window, dark mode.
PICTURES = {
    "page-home": ("/", 1280, 800, False),
    "page-chat": ("/chat/demo", 1280, 800, False),
    "page-conversation": ("/sessions/demo", 1280, 800, False),
    "page-review": ("/review", 1280, 800, False),
    "page-review-phone": ("/review", 390, 844, True),
    "page-session": ("/sessions/demo/course", 1180, 860, False),
    "page-context": ("/context?session=demo", 1180, 720, False),
}


def proxy(port: int, token: str) -> http.server.ThreadingHTTPServer:
    """Passes requests on to the service, as a browser that has signed in."""
    service = http.client.HTTPConnection("127.0.0.1", port)
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{port}"}
    service.request("POST", "/sign-in", urllib.parse.urlencode({"token": token}), form)
    cookie = service.getresponse().headers["Set-Cookie"].split(";")[0]

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            onward = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            onward.request("GET", self.path, headers={"Cookie": cookie, "Accept": self.headers.get("Accept", "*/*")})
            try:
                reply = onward.getresponse()
                body = reply.read() if "event-stream" not in reply.headers.get("Content-Type", "") else b""
            except OSError:
                return
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.headers.get("Content-Type", "text/plain"))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main(binary: str, out: str, *names: str) -> None:
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if not browser:
        sys.exit("Chromium is not installed")
    with tempfile.TemporaryDirectory() as folder:
        environment = {"HOME": folder, "PATH": os.environ["PATH"], "TZ": "Europe/Lisbon", "LANG": "C.UTF-8"}
        subprocess.run([binary, "demo"], check=True, env=environment, stdout=subprocess.DEVNULL)
        home = f"{folder}/openclaw-demo"
        command = [binary, "--home", home, "serve", "--listen", "127.0.0.1:0"]
        service = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            said = ""
            while "http://127.0.0.1:" not in said:
                said = service.stderr.readline() or service.stdout.readline()
            port = int(said.split("http://127.0.0.1:")[1].split("/")[0])
            server = proxy(port, pathlib.Path(home, "state/token").read_text().strip())
            for name, (path, wide, high, is_dark) in PICTURES.items():
                if names and name not in names:
                    continue
                picture = pathlib.Path(out, f"{name}.png").resolve()
                dark = ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"] if is_dark else []
                flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *dark]
                flags += [f"--user-data-dir={folder}/browser", f"--window-size={wide},{high}", "--virtual-time-budget=4000"]
                address = f"http://127.0.0.1:{server.server_port}{path}"
                subprocess.run([browser, *flags, f"--screenshot={picture}", address], check=True, stderr=subprocess.DEVNULL)
                print(picture)
        finally:
            service.terminate()
            service.wait()


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
