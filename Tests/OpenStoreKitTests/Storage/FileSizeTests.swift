import Foundation
import OpenStoreKit
import Perennial
import Testing

/// Files that would be too large to be read again.
struct FileSizeTests {
    private let device: Device

    init() throws {
        device = try Device()
    }

    @Test func `a file beyond the limit isn't written, and the earlier one stays`() throws {
        let files = FolderStore(folder: device.folder.appendingPathComponent("small"), maximumFileBytes: 10)
        try files.write(Data(count: 6), to: "file")
        try files.append(Data(count: 4), to: "file")
        for attempt in [
            { try files.append(Data(count: 1), to: "file") }, { try files.write(Data(count: 11), to: "file") },
        ] {
            #expect {
                try attempt()
            } throws: { error in
                (error as? FileError)?.code == .fileTooLarge
            }
            #expect(try files.read("file") == Data(count: 10))
        }
    }

    @Test func `a log that outgrew the limit in an earlier version is still read`() throws {
        let folder = device.folder.appendingPathComponent("grown")
        try FolderStore(folder: folder).write(Data(count: 15), to: "file")
        #expect(try FolderStore(folder: folder, maximumFileBytes: 10).read("file")?.count == 15)
    }

    @Test func `a vault replaces its changes by a snapshot before its file is too large`() throws {
        let files = FolderStore(folder: device.folder.appendingPathComponent("vault"), maximumFileBytes: 2 << 10)
        let vault = VaultSamples.vault(files)
        for number in 1...60 as ClosedRange<Int64> {
            try vault.apply(
                VaultChanges(revision: "\(number)", confirmedAt: VaultSamples.start + number * .minutes(20)))
            #expect(try files.read("vault").map { $0.count <= 2 << 10 } == true)
            let read = VaultSamples.vault(files)
            #expect(read.contents.revision == "\(number)")
            #expect(read.condition == .intact)
        }
    }
}
