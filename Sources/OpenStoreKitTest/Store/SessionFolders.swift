import Foundation

/// Folders of sessions for what apps read from disk, in a folder of the process that goes with it.
enum SessionFolders {
    private static let processFolder: URL = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "OpenStoreKitTest-\(ProcessInfo.processInfo.processIdentifier)-\(StoreHost.uuid().uuidString.prefix(8))",
            isDirectory: true)
        atexit { SessionFolders.removeAll() }
        return folder
    }()

    /// Returns the folder of a session, which is made when something is written.
    static func folder(named name: String) -> URL {
        processFolder.appendingPathComponent("\(StoreHost.uuid().uuidString.prefix(8))-\(name)", isDirectory: true)
    }

    static func remove(_ folder: URL) { try? FileManager.default.removeItem(at: folder) }

    private static func removeAll() { try? FileManager.default.removeItem(at: processFolder) }
}
