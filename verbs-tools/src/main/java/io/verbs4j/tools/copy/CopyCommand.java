/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.copy;

import io.verbs4j.tools.base.ExitCode;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.cm.Reach;
import io.verbs4j.tools.device.Devices;
import io.verbs4j.tools.process.ExitHook;
import io.verbs4j.tools.text.Json;
import io.verbs4j.tools.text.Printable;
import io.verbs4j.tools.text.Progress;
import io.verbs4j.tools.traffic.Limits;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The {@code verbs copy} command. */
@Command(
        name = "copy",
        description = {
            "Copies files to another machine over the bulk transport, and verifies them.",
            "",
            "  verbs copy --receive DIR       the receiver: waits for senders, and writes to DIR",
            "  verbs copy FILE... HOST:       the sender: files keep their names",
            "  verbs copy FILE HOST:NAME      the same under another name",
            "  verbs copy FILE... HOST:SUB/   into SUB, an existing folder in DIR",
            "",
            "A receiver accepts files from anyone who can reach it, without passwords or encryption, and replaces files"
                    + " of the same name. An incomplete file is called .NAME.verbs-part; it gets its name once its"
                    + " SHA-256 matches the sender's. To resume an interrupted copy, run the same command again; files"
                    + " that the receiver already has with the same checksum are not sent."
        },
        sortOptions = false)
public final class CopyCommand implements Callable<Integer> {
    private static final int DEFAULT_PORT = 7175;

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE... HOST:[PATH]",
            description = "files to send, and their destination; PATH is a name or a folder in the receiver's DIR")
    List<String> arguments = List.of();

    @Option(names = "--receive", paramLabel = "DIR", description = "run as the receiver, and write to this folder")
    Path folder;

    @Option(names = "--once", description = "receiver: exit after one sender has sent all its files")
    boolean once;

    @Option(
            names = {"-a", "--address"},
            paramLabel = "ADDRESS",
            description = "receiver: address to listen on (default: all addresses of the device)")
    String address;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            defaultValue = "" + DEFAULT_PORT,
            description = "port in RDMA-CM's port space TCP (default: ${DEFAULT-VALUE}); receiver: 0 for any free one")
    int port;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "device to use (default: the first that reaches the receiver, or has the address)")
    String device;

    @Option(
            names = "--retry",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "sender: how long to retry when the connection is lost (default: ${DEFAULT-VALUE})")
    int retrySeconds;

    @Option(
            names = "--limit",
            paramLabel = "MB",
            defaultValue = "0",
            description = "sender: limit in megabytes per second (default: none)")
    int megabytesPerSecond;

    @Option(
            names = {"-q", "--quiet"},
            description = "show only failures, no progress or results")
    boolean quiet;

    @Option(names = "--json", description = "write the result as JSON")
    boolean json;

    private final Devices devices;
    private final PrintStream out;

    /**
     * Creates the command.
     *
     * @param devices the devices to use
     * @param out standard output
     */
    public CopyCommand(Devices devices, PrintStream out) {
        this.devices = devices;
        this.out = out;
    }

    @Override
    public Integer call() {
        Limits.check("-p", port, 0, Limits.MOST_16_BITS);
        Limits.check("--retry", retrySeconds, 0, Integer.MAX_VALUE);
        Limits.check("--limit", megabytesPerSecond, 0, Integer.MAX_VALUE);
        return folder == null ? send() : receive();
    }

    // ---- the receiver

    private int receive() {
        if (!arguments.isEmpty()) {
            throw ToolException.usage("--receive waits for senders: leave out '" + arguments.get(0) + "'");
        }
        if (json && !once) {
            throw ToolException.usage("--json needs --once: a receiver without it has no result");
        }
        if (!Files.isDirectory(folder)) {
            throw ToolException.usage("--receive " + folder + ": no such folder");
        }
        if (!Files.isWritable(folder)) {
            throw ToolException.usage("--receive " + folder + ": is not writable");
        }
        ReceiverLog log = new ReceiverLog(quiet ? null : out, json);
        try (Reach reach = Reach.at(devices, device, address, port);
                Receiver receiver = Receiver.listen(folder, log, reach.context(), reach.address())) {
            ExitHook hook = ExitHook.of("copy-end", receiver::close);
            System.err.println("waiting for senders on port " + receiver.port() + " of "
                    + Printable.of(reach.context().device().name()) + ", into " + folder);
            boolean all;
            try (hook) {
                all = receiver.await(once);
            }
            if (json) {
                out.println(Json.write(Map.of("mode", "receive", "files", log.files())));
            }
            return all ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    // ---- the sender

    private int send() {
        if (once || address != null) {
            throw ToolException.usage("--once and -a are for the receiver: add --receive DIR");
        }
        if (arguments.size() < 2) {
            throw ToolException.usage("no files or no destination given: use FILE... HOST:, or --receive DIR");
        }
        int last = arguments.size() - 1;
        Destination to = Destination.of(arguments.get(last));
        List<SourceFile> files = arguments.subList(0, last).stream()
                .map(name -> SourceFile.of(Path.of(name)))
                .toList();
        to.requireFolder(files.size());
        Set<String> names = new HashSet<>();
        for (SourceFile file : files) {
            if (!names.add(file.name())) {
                throw ToolException.usage("two files are named '" + file.name() + "': copy them one by one");
            }
        }
        if (port == 0) {
            throw ToolException.usage("-p 0 is for the receiver: give the port that it listens on");
        }
        try (Reach reach = Reach.toward(devices, device, to.host(), port)) {
            return send(reach, to.path(), files);
        }
    }

    private int send(Reach reach, String path, List<SourceFile> files) {
        SenderOptions options = new SenderOptions(retrySeconds, megabytesPerSecond * 1_000_000L);
        Progress shown = quiet ? Progress.none() : Progress.onStandardError();
        List<CopyResult> results = new ArrayList<>();
        List<String> failures;
        try (CopyProgress progress = new CopyProgress(shown, quiet);
                Sender sender = new Sender(reach.context(), reach.address(), options, progress, results)) {
            ExitHook hook = ExitHook.of("copy-end", sender::interrupt);
            try (hook) {
                failures = sender.send(files, path);
            }
        } finally {
            report(reach, results);
        }
        if (failures.isEmpty()) {
            return ExitCode.OK;
        }
        throw ToolException.failed(String.join("\n", failures));
    }

    private void report(Reach reach, List<CopyResult> results) {
        if (json) {
            Map<String, Object> map = new LinkedHashMap<>();
            map.put("mode", "send");
            map.put("device", reach.context().device().name());
            map.put("files", results.stream().map(CopyResult::json).toList());
            out.println(Json.write(map));
        } else if (!quiet) {
            results.forEach(result -> out.println(result.text()));
        }
        out.flush();
    }
}
