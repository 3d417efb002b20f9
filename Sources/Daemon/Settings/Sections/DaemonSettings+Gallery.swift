extension DaemonSettings {
    /// Pictures for people to look at.
    public struct Gallery: Hashable, Sendable {
        /// The most bytes that pictures of documents may take on the disk; 0 to keep none.
        public var cache: Int64
        /// The absolute path of the directory in which they are kept.
        public var cacheDirectory: String
    }
}

extension DaemonSettings.Gallery {
    /// Reads the section, in the order of the table.
    init(_ reader: inout SettingsReader, places: Places) throws(SettingsReader.BadDefault) {
        cache = try reader.value(Keys.galleryCache)
        cacheDirectory = places.cache
    }
}
