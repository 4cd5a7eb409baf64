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
