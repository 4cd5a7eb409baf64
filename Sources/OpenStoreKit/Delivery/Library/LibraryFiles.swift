import Foundation

/// The files of a library: the journal, a folder for each version of a content, and receipts of purchases whose content is to
/// be downloaded.
struct LibraryFiles: Sendable {
    let folder: URL
    /// Called before each change.
    let willChange: DownloadFileGuard
    private static let journalName = "downloads.json"

    private var root: FolderStore { FolderStore(folder: folder) }
    private var contents: URL { folder.appendingPathComponent("contents") }

    // MARK: Journal

    /// Reads the journal; `nil` without one, or for one that isn't readable as such: its files are found again by their digests.
    ///
    /// - Throws: ``FileError`` if the file can't be read now.
    func journal() throws -> LibraryJournal? {
        guard let data = try root.read(Self.journalName) else { return nil }
        return try? JSONDecoder().decode(LibraryJournal.self, from: data)
    }

    func write(_ journal: LibraryJournal) throws {
        try willChange(.writeJournal)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try FileNames.createFolder(folder)
        try root.write(try encoder.encode(journal), to: Self.journalName)
    }

    // MARK: Contents

    /// Returns the path of a content's version from the library's folder.
    func path(of content: GrantedContent) -> String {
        let name = FileNames.component(content.filename ?? content.contentId)
        let version = FileNames.component(String(content.sha256.lowercased().prefix(16)))
        return "contents/\(FileNames.component(content.contentId))/\(version)/\(name)"
    }

    func url(_ path: String) -> URL {
        folder.appendingPathComponent(path)
    }

    /// Returns the files of a download of a content's version.
    func download(of content: GrantedContent) -> DownloadFiles {
        DownloadFiles(destination: url(path(of: content)), willChange: willChange)
    }

    /// Makes the folder of a content's version.
    func prepare(_ content: GrantedContent) throws {
        try FileNames.createFolder(url(path(of: content)).deletingLastPathComponent())
    }

    /// Returns true if a file is there in its full length.
    func isPresent(_ file: LibraryJournal.InstalledFile) -> Bool {
        size(of: url(file.path)) == file.size
    }

    /// Returns the complete file of a content's version if it is there and its digest is right.
    func complete(_ content: GrantedContent) -> LibraryJournal.InstalledFile? {
        let path = path(of: content)
        guard size(of: url(path)) == content.size,
            let digest = try? DownloadFiles.digest(ofFile: url(path).path), digest == content.sha256.lowercased()
        else { return nil }
        return LibraryJournal.InstalledFile(sha256: digest, size: content.size, path: path)
    }

    private func size(of file: URL) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    /// Removes the versions of a content, except some.
    func removeVersions(of id: String, except kept: [String]) {
        let folder = contents.appendingPathComponent(FileNames.component(id))
        let keptFolders = Set(kept.map { url($0).deletingLastPathComponent().lastPathComponent })
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names where !keptFolders.contains(name) { remove(folder.appendingPathComponent(name)) }
        if keptFolders.isEmpty { remove(folder) }
    }

    /// Removes the folders of contents that a journal doesn't have, which a removal left behind.
    func removeUnknown(_ journal: LibraryJournal) {
        let known = Set(journal.entries.map { FileNames.component($0.content.contentId) })
        let names = (try? FileManager.default.contentsOfDirectory(atPath: contents.path)) ?? []
        for name in names where !known.contains(name) { remove(contents.appendingPathComponent(name)) }
    }

    private func remove(_ item: URL) {
        guard FileManager.default.fileExists(atPath: item.path), (try? willChange(.removeFile)) != nil else { return }
        try? FileManager.default.removeItem(at: item)
    }
}
