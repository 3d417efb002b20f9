import CPictures
import Glibc
import Vocabulary

/// libvips, set up once for hostile pictures.
public enum VipsLibrary {
    /// The reason why libvips can't be used; nil if it can.
    ///
    /// The first access sets up the library, so that a sandbox can be closed afterwards.
    public static let failure: String? = start()

    private static func start() -> String? {
        // The JIT compiler of the vector code needs pages that are writable and then executable, which
        // the sandbox forbids.
        setenv("VIPS_NOVECTOR", "1", 1)
        // One thread per process, since the work is spread over processes.
        setenv("VIPS_CONCURRENCY", "1", 1)
        // Pictures that must be held as a whole are held in memory, since the sandbox has no temporary
        // files.
        setenv("VIPS_DISC_THRESHOLD", "16g", 1)
        // Translated messages are in files that could not be opened when they are needed.
        setenv("LC_ALL", "C", 1)
        // Colour profiles contain dates, and without a named time zone its file would be read for each.
        setenv("TZ", "UTC0", 1)
        tzset()
        // Warnings about odd files don't belong on our standard error.
        setenv("VIPS_WARNING", "0", 1)
        let modules = keepModulesOut()
        guard vips_init("facefetch-detector") == 0 else { return takeError().description }
        // Where one can't be loaded, its formats are some that libvips can't read.
        for module in modules { _ = g_module_open(module, G_MODULE_BIND_LAZY) }
        vips_concurrency_set(1)
        // Blocks loaders that libvips' authors don't consider safe for untrusted input.
        vips_block_untrusted_set(1)
        // Of these, the sandbox is what keeps them in.
        for loaders in [PictureFormat.jxl, .jp2].map(\.loaderPrefix) { vips_operation_block_set(loaders, 0) }
        // No file is read twice, so nothing is worth caching.
        vips_cache_set_max(0)
        return nil
    }

    /// Returns whether libvips has a loader for JPEG XL or JPEG 2000.
    static func canLoad(_ format: PictureFormat) -> Bool {
        vips_type_find("VipsOperation", format == .jxl ? "jxlload_source" : "jp2kload_source") != 0
    }

    /// Hides from libvips the modules that it would load, and names those that are needed here.
    ///
    /// There are modules since 8.13: ImageMagick's readers, poppler's and others that are blocked
    /// anyway, and those of HEIC, AVIF and JPEG XL. Loading all takes a third of the time in which a detector
    /// starts.
    private static func keepModulesOut() -> [String] {
        guard let library = CVips_file().map({ String(cString: $0) }),
            let end = library.lastIndex(of: "/"), library[end...].hasPrefix("/libvips")
        else { return [] }
        let folder = String(library[..<end]) + "/vips-modules-\(vips_version(0)).\(vips_version(1))/"
        guard access(folder, F_OK) == 0 else { return [] }
        // Modules are looked for below this, and what isn't there is no error. There may be ImageMagick's alone.
        setenv("VIPSHOME", "/nonexistent", 1)
        return ["vips-heif.so", "vips-jxl.so"].map { folder + $0 }.filter { access($0, R_OK) == 0 }
    }

    /// The last error, as one line, and forgets it.
    static func takeError() -> UnreadablePicture {
        let text = String(cString: vips_error_buffer())
        vips_error_clear()
        let line = text.split(whereSeparator: \.isNewline).joined(separator: "; ")
        guard !line.isEmpty else {
            return UnreadablePicture("is damaged; the decoder does not say where")
        }
        return UnreadablePicture(String(line.prefix(500)))
    }
}
