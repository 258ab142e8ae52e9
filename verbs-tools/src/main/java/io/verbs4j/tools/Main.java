/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools;

import io.verbs4j.Errno;
import io.verbs4j.VerbsException;
import io.verbs4j.tools.base.ExitCode;
import io.verbs4j.tools.base.ToolException;
import io.verbs4j.tools.bench.BenchCommand;
import io.verbs4j.tools.copy.CopyCommand;
import io.verbs4j.tools.device.Devices;
import io.verbs4j.tools.ping.PingCommand;
import io.verbs4j.tools.pingpong.PingPongCommand;
import io.verbs4j.tools.text.Printable;
import io.verbs4j.tools.top.TopCommand;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The program's entry point. Data goes to standard output, messages to standard error. */
public final class Main {
    private static final String DEBUG = "VERBS4J_DEBUG";

    private final PrintStream err;

    private Main(PrintStream err) {
        this.err = err;
    }

    /**
     * Runs the program and ends the JVM.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        StandardOutput standard = new StandardOutput();
        int exitCode = standard.check(run(Devices.INSTALLED, standard.stream(), System.err, args), System.err);
        System.err.flush();
        System.exit(exitCode);
    }

    /**
     * Runs the program.
     *
     * @param devices the devices to use
     * @param out standard output
     * @param err standard error
     * @param args the command line
     * @return an {@link ExitCode} value
     */
    public static int run(Devices devices, PrintStream out, PrintStream err, String... args) {
        Main main = new Main(err);
        VerbsCommand verbs = new VerbsCommand();
        CommandLine commands = new CommandLine(verbs)
                .addSubcommand(new DevicesCommand(devices, out))
                .addSubcommand(new TopCommand(out))
                .addSubcommand(new InfoCommand(devices, out))
                .addSubcommand(new PingCommand(devices, out))
                .addSubcommand(new PingPongCommand(devices, out))
                .addSubcommand(new BenchCommand(devices, out))
                .addSubcommand(new CopyCommand(devices, out))
                .addSubcommand(new CommandLine.HelpCommand());
        commands.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
                .setUsageHelpWidth(110)
                .setUsageHelpAutoWidth(true)
                .setExecutionStrategy(verbs::execute)
                .setParameterExceptionHandler((e, a) -> main.misused(e))
                .setExecutionExceptionHandler((e, command, result) -> main.failed(e, command));
        return commands.execute(args);
    }

    private int misused(ParameterException e) {
        debug(e);
        err.println("verbs: " + printable(e.getMessage()));
        err.println("try: " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private int failed(Exception e, CommandLine command) {
        debug(e);
        if (e instanceof ToolException t) {
            err.println("verbs: " + printable(t.getMessage()));
            if (t.exitCode() == ExitCode.USAGE) {
                err.println("try: " + command.getCommandSpec().qualifiedName() + " --help");
            }
            return t.exitCode();
        }
        if (e instanceof VerbsException v) {
            err.println("verbs: " + printable(v.getMessage()));
            return isMissing(v.errno()) ? ExitCode.NOT_AVAILABLE : ExitCode.FAILED;
        }
        err.println("verbs: internal error: " + printable(e.toString()) + " (" + DEBUG + "=1 prints the stack trace)");
        return ExitCode.FAILED;
    }

    /**
     * Makes a message safe to print. It may have several lines, with names that come from a provider, a peer or an
     * argument.
     */
    private static String printable(String message) {
        return String.valueOf(message).lines().map(Printable::of).collect(Collectors.joining(System.lineSeparator()));
    }

    /** Whether the device, or what was requested of it, is missing. */
    private static boolean isMissing(int errno) {
        return errno == Errno.ENODEV || errno == Errno.EOPNOTSUPP || errno == Errno.ENOSYS;
    }

    private void debug(Exception e) {
        String debug = System.getenv(DEBUG);
        if (debug != null && !debug.isEmpty() && !debug.equals("0")) {
            e.printStackTrace(err);
        }
    }
}
