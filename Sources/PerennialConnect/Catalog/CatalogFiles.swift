import AppStoreFormats
import Foundation
import Perennial

extension StoreKitFile {
    /// Reads a `.storekit` file.
    /// - Throws: ``CatalogError`` with the file and the place in it.
    init(readingFileAt path: String) throws {
        let place = CatalogPlace(file: path, spot: .file)
        try self.init(parsing: try place.read(atMost: Self.maximumByteCount), at: place)
    }

    /// Reads the bytes of a `.storekit` file.
    /// - Throws: ``CatalogError`` with the file and the place in it.
    init(parsing bytes: [UInt8], at place: CatalogPlace) throws {
        do {
            try self.init(parsing: bytes)
        } catch let error as StoreKitFileError {
            let spot: CatalogPlace.Spot =
                if let line = error.line, let column = error.column {
                    .position(line: line, column: column)
                } else {
                    .path(error.path)
                }
            throw CatalogError(
                .malformedStoreKitFile, at: CatalogPlace(file: place.file, spot: spot),
                "expected \(error.expected), found \(error.found)")
        }
    }
}

extension CatalogFile {
    /// Reads a YAML catalog.
    /// - Throws: ``CatalogError`` with the file, line and column.
    init(readingFileAt path: String) throws {
        let bytes = try CatalogPlace(file: path, spot: .file).read(atMost: Self.maximumByteCount)
        do {
            try self.init(parsing: bytes)
        } catch let error as CatalogFileError {
            throw CatalogError(
                .malformedCatalogFile, at: CatalogPlace(file: path, spot: error.position?.spot ?? .file), error.reason)
        }
    }
}

extension CatalogPlace {
    /// Returns the bytes of the file.
    fileprivate func read(atMost limit: Int) throws -> [UInt8] {
        guard
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: URL(filePath: file).resolvingSymlinksInPath().path)
        else { throw CatalogError(.unreadable, at: self, "expected a file, found none") }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            throw CatalogError(
                .unreadable, at: self, "expected a file, found \(isFolder ? "a folder" : "something else")")
        }
        guard let size = attributes[.size] as? Int, size <= limit else {
            throw CatalogError(.unreadable, at: self, "expected at most \(limit) bytes, found more")
        }
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CatalogError(.unreadable, at: self, "the file can't be read")
        }
        return [UInt8](data)
    }
}

extension String {
    /// Returns the path of a file in the same folder.
    func sibling(_ name: String) -> String {
        if name.hasPrefix("/") { return name }
        let folder = split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        if folder.isEmpty { return hasPrefix("/") ? "/\(name)" : name }
        return "\(folder)/\(name)"
    }

    /// The standardized path with symbolic links resolved.
    var canonical: String { URL(filePath: self).standardizedFileURL.resolvingSymlinksInPath().path }

    /// The file's name without its folder and its last suffix.
    var fileStem: String {
        let name = split(separator: "/").last.map(String.init) ?? self
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// ``fileStem`` with the characters replaced that a bundle ID can't have.
    var identifierStem: String {
        let letters = fileStem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") ? $0 : "-" }
        let trimmed = letters.drop { $0 == "-" || $0 == "." }.reversed().drop { $0 == "-" || $0 == "." }.reversed()
        return trimmed.isEmpty ? "app" : String(trimmed.prefix(80))
    }
}
