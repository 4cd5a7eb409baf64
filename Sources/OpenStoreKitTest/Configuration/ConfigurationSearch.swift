import Foundation

/// Finds configuration files by name.
///
/// Looks for the name as it is, then with `.storekit`: in the main bundle, in the resources of the test targets beside the test
/// executable (SwiftPM's folders `Package_Target.resources`), in the executable's folder and in the working directory. Of
/// several resource folders with the file, one of a test target comes first.
struct ConfigurationSearch {
    var mainBundle: URL?
    var executableFolder: URL?
    var workingDirectory: URL

    static var process: ConfigurationSearch {
        ConfigurationSearch(
            mainBundle: Bundle.main.resourceURL, executableFolder: executableFolder,
            workingDirectory: URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true))
    }

    /// Folder of the test executable. A test tool may run a library beside it.
    private static var executableFolder: URL? {
        (Bundle.main.executableURL ?? CommandLine.arguments.first.map { URL(fileURLWithPath: $0) })?
            .resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// Returns the file with a name, which may lack the extension.
    ///
    /// - Throws: ``SKTestError`` `.fileNotFound` with the places that were searched.
    func file(named name: String) throws -> URL {
        let names = name.hasSuffix(".storekit") ? [name] : [name, "\(name).storekit"]
        let folders = self.folders
        for folder in folders {
            for name in names {
                let file = folder.appendingPathComponent(name)
                if Self.isFile(file) { return file }
            }
        }
        throw SKTestError(
            .fileNotFound,
            "\(names.joined(separator: ", or ")): no such file in \(folders.map(\.path).joined(separator: ", "))")
    }

    /// The searched folders, in their order.
    private var folders: [URL] {
        var folders: [URL] = []
        if let mainBundle { folders.append(mainBundle) }
        if let executableFolder { folders += Self.resourceFolders(in: executableFolder) }
        if let executableFolder { folders.append(executableFolder) }
        folders.append(workingDirectory)
        var seen: Set<String> = []
        return folders.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }

    private static func resourceFolders(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let resources = names.filter { $0.hasSuffix(".resources") || $0.hasSuffix(".bundle") }.sorted()
        let ofTests = resources.filter { $0.contains("Tests.") }
        return (ofTests + resources.filter { !ofTests.contains($0) }).map {
            folder.appendingPathComponent($0, isDirectory: true)
        }
    }

    private static func isFile(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && !isFolder.boolValue
    }
}
