import Foundation

/// The free space of volumes.
enum VolumeSpace {
    /// Returns the free bytes of the volume with a folder, or with its closest existing parent; `nil` if unknown.
    static func freeBytes(at folder: URL) -> Int64? {
        var folder = folder.standardizedFileURL
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder.path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
    }
}
