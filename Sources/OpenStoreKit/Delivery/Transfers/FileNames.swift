import BaseEncoding
import Crypto
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Names from the seller's server as names of files, and folders that survive a power failure.
enum FileNames {
    /// Longest name in bytes: below the 255 of common file systems, with room for those of unfinished downloads.
    private static let maximumLength = 200

    /// Returns a name as one component of a path. Different names stay different, none leaves its folder, and none begins with a dot.
    static func component(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 128 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                || (byte == UInt8(ascii: ".") && !text.isEmpty)
            {
                text.unicodeScalars.append(scalar)
            } else {
                text += "%" + Hexadecimal.encode([byte])
            }
        }
        if text.isEmpty { return "%" }
        guard text.utf8.count > maximumLength else { return text }
        return text.prefix(maximumLength - 33) + "%" + Hexadecimal.encode(SHA256.hash(data: Data(name.utf8)).prefix(16))
    }

    /// Makes a folder and its parents, and waits until they are on the disk.
    ///
    /// - Throws: ``FileError``.
    static func createFolder(_ folder: URL) throws {
        guard !FileManager.default.fileExists(atPath: folder.path) else { return }
        let parent = folder.deletingLastPathComponent()
        if parent.path != folder.path { try createFolder(parent) }
        guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else {
            throw FileError(errno: errno, path: folder.path, doing: "mkdir")
        }
        let descriptor = open(parent.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
