import Vocabulary

// Jobs are listed and exported by the million, so these shapes are written by hand: a row is a closure,
// which gets a copy of what it writes, and takes three times as long (`make bench ONLY=export,text`). The
// rows remain the definition, and JSONTextTests holds each of these writers to them.

extension JobJSON {
    /// Writes the members of ``shape`` in alphabetical order.
    public func write(to text: inout JSONText) {
        text.object { text in
            text.member(#","attempts":"#, attempts)
            text.member(#","batch":"#, batch)
            text.member(#","bytes":"#, bytes)
            text.member(#","bytes_per_second":"#, bytesPerSecond)
            text.member(#","created_at":"#, createdAt)
            text.member(#","detection":"#, detection)
            text.member(#","elapsed":"#, elapsed)
            text.member(#","ended":"#, ended)
            text.member(#","ending":"#, ending)
            text.member(#","error":"#, error)
            text.member(#","evicted_at":"#, evictedAt)
            text.member(#","expected_sha256":"#, expectedSHA256)
            text.member(#","finished_at":"#, finishedAt)
            text.member(#","id":"#, id)
            text.member(#","item_key":"#, itemKey)
            text.member(#","length":"#, length)
            text.member(#","meta":"#, meta)
            text.member(#","name":"#, name)
            text.member(#","path":"#, path)
            text.member(#","percent":"#, percent)
            if let isPinned { text.member(#","pinned":"#, isPinned) }
            text.member(#","priority":"#, priority)
            text.member(#","rate_limit":"#, rateLimit)
            text.member(#","sha256":"#, sha256)
            text.member(#","source":"#, source)
            text.member(#","state":"#, state)
            text.member(#","total_bytes":"#, totalBytes)
            text.member(#","url":"#, url)
            text.member(#","waiting":"#, waiting)
            if let weight { text.member(#","weight":"#, weight) }
        }
    }
}

extension DetectionJSON {
    /// Writes the members of ``shape`` in alphabetical order.
    public func write(to text: inout JSONText) {
        text.object { text in
            text.member(#","engine":"#, engine)
            text.member(#","face_count":"#, faceCount)
            text.member(#","faces":"#, faces)
            text.member(#","format":"#, format)
            text.member(#","height":"#, height)
            if let looks { text.member(#","looks":"#, looks) }
            text.member(#","orientation":"#, orientation)
            text.member(#","outcome":"#, outcome)
            text.member(#","parameters":"#, parameters)
            if let reason { text.member(#","reason":"#, reason) }
            text.member(#","seconds":"#, seconds)
            text.member(#","shared_from":"#, sharedFrom)
            text.member(#","width":"#, width)
        }
    }
}

extension Face {
    /// Writes the members of ``shape`` in alphabetical order.
    public func write(to text: inout JSONText) {
        text.object { text in
            text.member(#","confidence":"#, confidence)
            text.member(#","height":"#, height)
            text.member(#","landmarks":"#, landmarks)
            text.member(#","width":"#, width)
            text.member(#","x":"#, x)
            text.member(#","y":"#, y)
        }
    }
}

extension Face.Point {
    /// Writes the members of ``shape`` in alphabetical order.
    public func write(to text: inout JSONText) {
        text.object { text in
            text.member(#","x":"#, x)
            text.member(#","y":"#, y)
        }
    }
}
