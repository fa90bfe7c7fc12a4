// Riff
// SPDX-License-Identifier: Apache-2.0

extension CronJob {
    /// A job that is to be created, or what is to be changed of one: `nil` leaves a field as it is.
    public struct Draft: Sendable, Hashable {
        /// The times at which it runs, as the agent reads them: `30m`, `every 2h`, `0 9 * * *`.
        public var schedule: String?
        /// The text that the agent is asked.
        public var prompt: String?
        /// The name of the job.
        public var name: String?
        /// The destination of the answer: `local`, `origin`, `telegram`, `platform:chat`.
        public var deliver: String?
        /// The skills it uses.
        public var skills: [String]?
        /// The absolute path of the directory it works in.
        public var workingDirectory: String?

        /// Creates a draft in which nothing is set unless said otherwise.
        public init(
            schedule: String? = nil,
            prompt: String? = nil,
            name: String? = nil,
            deliver: String? = nil,
            skills: [String]? = nil,
            workingDirectory: String? = nil
        ) {
            self.schedule = schedule
            self.prompt = prompt
            self.name = name
            self.deliver = deliver
            self.skills = skills
            self.workingDirectory = workingDirectory
        }

        /// The options for the fields that both commands name alike.
        var options: [String] {
            var options: [String] = []
            if let name { options.append("--name=\(name)") }
            if let deliver { options.append("--deliver=\(deliver)") }
            for skill in skills ?? [] { options.append("--skill=\(skill)") }
            if let workingDirectory { options.append("--workdir=\(workingDirectory)") }
            return options
        }
    }
}
