import Foundation
import TestSupport
import Testing

@testable import PerennialCommand

/// The folder of the state files of running stores.
struct RuntimeFolderTests {
    private let folder: RuntimeFolder

    init() throws {
        folder = RuntimeFolder(variables: [RuntimeFolder.variable: try TemporaryFolder.make() + "/run"])
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Makes the file that a process killed before it named its state file leaves.
    private func leaveUnfinishedFile() -> String {
        let path = "\(folder.path)/0123456789abcdef.store.json.new"
        #expect(FileManager.default.createFile(atPath: path, contents: Data()))
        return path
    }

    @Test func `a file of a process that was killed while publishing is removed`() throws {
        let file = try folder.publish(Data("{}".utf8))
        let unfinished = leaveUnfinishedFile()
        #expect(folder.stateFiles() == [file.path])
        #expect(!exists(unfinished))
    }

    @Test func `the folder goes with its last store in spite of an unfinished file`() throws {
        let file = try folder.publish(Data("{}".utf8))
        _ = leaveUnfinishedFile()
        folder.remove(file)
        #expect(!exists(folder.path))
    }

    @Test(arguments: [false, true])
    func `a command's folder goes with it, or with the next command if it is killed`(isKilled: Bool) throws {
        var cleanup: Cleanup? = Cleanup()
        let made = try folder.makeTemporaryFolder(named: "exercise", try #require(cleanup)).path
        try Data("secret".utf8).write(to: URL(filePath: "\(made)/key"))
        #expect(made.hasPrefix("\(folder.path)/exercise-"))
        // A running command keeps its folder.
        #expect(folder.stateFiles() == [])
        #expect(exists("\(made)/key"))
        if !isKilled { cleanup?.clear() }
        // The locks of a process end with it.
        cleanup = nil
        #expect(exists(made) == isKilled)
        #expect(folder.stateFiles() == [])
        #expect(!exists(made))
    }

    @Test func `the demo's folder is one that the next command removes`() throws {
        var cleanup: Cleanup? = Cleanup()
        let examples = DocumentedCommand.root.appending(path: "Examples").path
        let made = try DemoFolder.make(keeping: nil, examples: examples, in: folder, try #require(cleanup)).url.path
        #expect(made.hasPrefix("\(folder.path)/demo-") && exists("\(made)/catalog/catalog.yaml"))
        cleanup = nil
        #expect(folder.stateFiles() == [])
        #expect(!exists(made))
    }

    @Test func `a file that another process is about to publish stays`() throws {
        let file = try folder.publish(Data("{}".utf8))
        let other = try LockedFile("\(folder.path)/other.store.json.new", contents: Data())
        #expect(folder.stateFiles() == [file.path])
        #expect(exists(other.path))
    }
}
