import Foundation
import OpenStoreKit
import Testing

struct FileErrorTests {
    @Test(arguments: [
        (ENOSPC, FileError.Code.diskFull), (EDQUOT, .diskFull), (EFBIG, .diskFull), (EACCES, .permissionDenied),
        (EPERM, .permissionDenied), (EROFS, .permissionDenied), (ENOENT, .notFound), (ENOTDIR, .notFound),
        (EIO, .other),
    ])
    func `POSIX error numbers have codes`(number: Int32, code: FileError.Code) {
        let error = FileError(errno: number, path: "/x", doing: "write")
        #expect(error.code == code)
        #expect(error.description.contains("/x") && error.description.contains("write"))
    }

    @Test func `a folder that can't be made has an error of files`() throws {
        let device = try Device()
        try device.files.write(Data("x".utf8), to: "file")
        let store = FolderStore(folder: device.files.folder.appendingPathComponent("file/folder"))
        #expect { try store.withLock("lock") {} } throws: { $0 is FileError }
        #expect { try store.write(Data(), to: "name") } throws: { $0 is FileError }
    }

    /// As of a receipt, which has no lock.
    @Test func `a write doesn't share its unfinished file with another process`() throws {
        let device = try Device()
        let store = FolderStore(folder: device.folder.appendingPathComponent("shared"))
        try store.write(Data("old".utf8), to: "receipt")
        // Two other processes have begun their files: one in this form, which still runs, one as of an earlier version.
        let names = ["receipt.1-abcdefgh.new", "receipt.new"]
        for name in names {
            var other = try OutputFile(path: store.folder.appendingPathComponent(name).path, at: .beginning)
            try store.write(Data("receipt".utf8), to: "receipt")
            try Data("other".utf8).withUnsafeBytes { try other.append($0) }
            #expect(try store.read("receipt") == Data("receipt".utf8))
            #expect(try store.read(name) == Data("other".utf8))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path).count == 3)
    }

    /// The first processes of two containers, for example, have one number.
    @Test func `leftovers of a process with this number are removed, a file being written isn't`() throws {
        let device = try Device()
        let store = FolderStore(folder: device.folder.appendingPathComponent("numbers"))
        try FileManager.default.createDirectory(at: store.folder, withIntermediateDirectories: true)
        let number = ProcessInfo.processInfo.processIdentifier
        let left = [
            "vault.\(number)-abcdefgh-1.unfinished", "vault.1-abcdefgh-1.unfinished", "vault.\(number)-abcdefgh.new",
        ]
        let others = ["vault.number.\(number)-abcdefgh-1.unfinished", "vault.unfinished"]
        for name in left + others { try Data("left".utf8).write(to: store.folder.appendingPathComponent(name)) }
        // As another process does.
        let begun = try UnfinishedFile.begin(store.folder.appendingPathComponent("vault").path)
        try store.write(Data("vault".utf8), to: "vault")
        let name = (begun.path as NSString).lastPathComponent
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: store.folder.path).sorted()
                == (others + ["vault", name]).sorted())
        begun.close()
    }

    @Test func `what a process left that ended during a write is removed, and nothing else`() throws {
        let device = try Device()
        let folder = device.folder.appendingPathComponent("left")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // No process has the largest number.
        let others = ["vault.1-abcdefgh.new", "vault.new", "vault.number.2147483647-abcdefgh.new", "vault.x-1.new"]
        for name in ["vault.2147483647-abcdefgh.new"] + others {
            try Data("left".utf8).write(to: folder.appendingPathComponent(name))
        }
        try FolderStore(folder: folder).write(Data("vault".utf8), to: "vault")
        let found = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(found.sorted() == (others + ["vault"]).sorted())
    }

    @Test func `a write that fails leaves no unfinished file`() throws {
        let device = try Device()
        let store = FolderStore(folder: device.folder.appendingPathComponent("failing"))
        // A folder of that name can't be replaced by a file.
        try FileManager.default.createDirectory(
            at: store.folder.appendingPathComponent("receipt"), withIntermediateDirectories: true)
        #expect { try store.write(Data("x".utf8), to: "receipt") } throws: { $0 is FileError }
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["receipt"])
    }

    #if os(Linux)
        @Test func `a full disk has its code`() throws {
            #expect { try Self.write(to: "/dev/full") } throws: { ($0 as? FileError)?.code == .diskFull }
            #expect { try Self.write(to: "/proc/version/x") } throws: { ($0 as? FileError)?.code == .notFound }
        }

        private static func write(to path: String) throws {
            var file = try OutputFile(path: path, at: .end)
            let bytes: [UInt8] = [1, 2, 3]
            try bytes.withUnsafeBytes { try file.append($0) }
        }
    #endif
}
