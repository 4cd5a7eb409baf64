import Foundation
import PerennialStorage
import Synchronization

/// Tells clients that the store is ready: banner, ready file, state file; withdraws the files when it ends.
final class StoreAnnouncement: Sendable {
    private let info: StartupInfo
    private let directory: DataDirectory
    private let ready: ReadyFile
    private let command: ChildCommand?
    private let runtime = RuntimeFolder()
    private let state = Mutex<LockedFile?>(nil)

    /// - Parameter command: A command to start; then the store is for the command only, and nothing is printed.
    init(info: StartupInfo, directory: DataDirectory, ready: ReadyFile, command: ChildCommand?) {
        self.info = info
        self.directory = directory
        self.command = command
        // A command reads a ready file, wherever it is.
        self.ready =
            command != nil && ready.path == nil ? ReadyFile(path: directory.folder + "/ready.json") : ready
    }

    /// - Throws: ``CommandError`` if the ready file can't be written, or if the command can't be started.
    func publish(host: String, _ ports: OpenListeners.Ports) throws {
        var info = info.at(Listening.reachableURL(host: host, port: ports.plain))
        info.tls = ports.secure.map {
            StartupInfo.TLSModel(host: host, port: $0, trust: directory.rootCertificatePEMPath)
        }
        try ready.write(info)
        if let command {
            try command.start(url: info.url, token: info.controlToken, readyFile: ready.path)
        } else {
            // Without the state file the store runs all the same; other commands name it by a ready file.
            let file = try? runtime.publish(ReadyFile.contents(info))
            state.withLock { $0 = file }
            Terminal.out(info.banner(database: directory.location.description, readyFile: ready.path))
        }
    }

    /// Removes the files. A second call does nothing.
    func withdraw() {
        ready.remove()
        state.withLock { state in
            if let state { runtime.remove(state) }
            state = nil
        }
    }
}
