/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.matrix;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The virtual machine of {@code compat-tests/guest/run}, in which programs use the kernel's Soft-RoCE.
 *
 * @param script the script
 * @param kernel its kernel: uml or qemu
 */
record NativeGuest(Path script, String kernel) {
    static final String UML = "uml";
    static final String QEMU = "qemu";

    private static final String UML_VARIABLE = "VERBS4J_UML";
    private static final List<String> QEMU_NEEDS =
            List.of("qemu-system-x86_64", "busybox", "cpio", "depmod", "xz", "apt-get", "ip");

    /** Ten times what programs take on an idle machine. */
    private static final int PATIENCE_SECONDS = 120;

    private static final int SLOW_PATIENCE_SECONDS = 600;
    private static final int BOOT_SECONDS = 300;

    /** {@return the faster kernel if this machine has it} */
    static String preferred() {
        return missing(UML).isEmpty() ? UML : QEMU;
    }

    /** {@return what this machine lacks for the guest with a kernel, or an empty string} */
    static String missing(String kernel) {
        if (kernel.equals(UML)) {
            String file = System.getenv(UML_VARIABLE);
            return file != null && Files.isReadable(Path.of(file))
                    ? ""
                    : UML_VARIABLE + " does not name a readable user-mode kernel";
        }
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin" + File.pathSeparator + "/sbin";
        List<String> missing = QEMU_NEEDS.stream()
                .filter(tool -> Stream.of(path.split(File.pathSeparator))
                        .noneMatch(folder -> Files.isExecutable(Path.of(folder, tool))))
                .toList();
        return missing.isEmpty() ? "" : "not found: " + String.join(", ", missing);
    }

    /** {@return whether programs are emulated: they are many times slower then, and two that poll starve each other} */
    private boolean isSlow() {
        return kernel.equals(QEMU);
    }

    /**
     * Boots the guest once with the files of a release on top of this machine's, and runs the commands in it.
     *
     * @param layer the files
     * @param commands what to run
     * @param scratch folder for their output
     * @return the result of each
     */
    List<ProgramRun> run(Path layer, List<List<String>> commands, Path scratch) throws InterruptedException {
        int patience = isSlow() ? SLOW_PATIENCE_SECONDS : PATIENCE_SECONDS;
        int jobs = isSlow() ? 1 : 2;
        try {
            Path out = Files.createTempDirectory(scratch, "guest");
            Path all = Files.writeString(scratch.resolve(out.getFileName() + ".sh"), script(commands, patience, jobs));
            Path log = scratch.resolve(out.getFileName() + ".log");
            int timeout = BOOT_SECONDS + patience * ((commands.size() + jobs - 1) / jobs);
            List<String> boot = List.of(
                    script.toString(),
                    "--kernel",
                    kernel,
                    "--net",
                    "pair",
                    "--layer",
                    layer.toString(),
                    "--out",
                    out.toString(),
                    "--timeout",
                    "" + timeout,
                    "--",
                    "bash",
                    all.toString());
            Process process = new ProcessBuilder(boot)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                // The script has the timeout; this is for a script that hangs, or unpacks a kernel first.
                if (!process.waitFor(timeout + 300L, TimeUnit.SECONDS) || process.exitValue() != 0) {
                    throw new MatrixException("the guest failed, with " + layer + ": "
                            + Files.readString(log).strip());
                }
            } finally {
                process.destroyForcibly();
            }
            List<ProgramRun> runs = new ArrayList<>();
            for (int i = 0; i < commands.size(); i++) {
                int status = Integer.parseInt(read(out, i + ".status").strip());
                runs.add(new ProgramRun(
                        again(boot, commands.get(i)), status, read(out, i + ".out"), read(out, i + ".err")));
            }
            return runs;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to " + scratch, e);
        }
    }

    /** {@return how to run one of the commands again, by itself} */
    private static List<String> again(List<String> boot, List<String> command) {
        List<String> again = new ArrayList<>(boot.subList(0, boot.indexOf("--out")));
        again.add("--");
        again.addAll(command);
        return again;
    }

    private static String read(Path folder, String name) throws IOException {
        return new String(Files.readAllBytes(folder.resolve(name)), StandardCharsets.UTF_8);
    }

    private static String script(List<List<String>> commands, int patience, int jobs) {
        StringBuilder text = new StringBuilder("run() {\n  local n=$1\n  shift\n  timeout -s KILL " + patience
                + " \"$@\" >\"$GUEST_OUT/$n.out\" 2>\"$GUEST_OUT/$n.err\"\n  echo $? >\"$GUEST_OUT/$n.status\"\n}\n");
        for (int i = 0; i < commands.size(); i++) {
            if (i >= jobs) {
                text.append("wait -n\n");
            }
            text.append("run ").append(i);
            commands.get(i).forEach(word -> text.append(' ').append(quoted(word)));
            text.append(" &\n");
        }
        return text.append("wait\n").toString();
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
