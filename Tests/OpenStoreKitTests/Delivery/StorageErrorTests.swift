import Foundation
import OpenStoreKit
import Testing

struct StorageErrorTests {
    @Test(arguments: [
        (ENOSPC, StorageError.Code.diskFull), (EDQUOT, .diskFull), (EFBIG, .diskFull), (EACCES, .permissionDenied),
        (EPERM, .permissionDenied), (EROFS, .permissionDenied), (ENOENT, .notFound), (ENOTDIR, .notFound), (EIO, .other),
    ])
    func `the system's error numbers have names`(number: Int32, code: StorageError.Code) {
        let error = StorageError(errno: number, path: "/x", doing: "write")
        #expect(error.code == code)
        #expect(error.description.contains("/x") && error.description.contains("write"))
    }

    #if os(Linux)
        @Test func `a full disk is said to be full`() throws {
            var file = try OutputFile(path: "/dev/full", at: .end)
            var error: StorageError?
            do {
                try [1, 2, 3].withUnsafeBytes { bytes throws(StorageError) in try file.append(bytes) }
            } catch let caught as StorageError {
                error = caught
            }
            #expect(error?.code == .diskFull)
        }
    #endif
}
