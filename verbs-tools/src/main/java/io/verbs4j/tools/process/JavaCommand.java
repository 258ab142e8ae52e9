/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.tools.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The command that starts this program again: the same JVM with the same options, class path or module path, and
 * settings.
 */
final class JavaCommand {
    private static final String MAIN = "io.verbs4j.tools.Main";
    private static final String OWN_PROPERTIES = "io.verbs4j.";

    /** Settings of the JDK that decide where the two processes look for each other. */
    private static final List<String> SHARED_PROPERTIES =
            List.of("java.io.tmpdir", "java.net.preferIPv4Stack", "java.net.preferIPv6Addresses");

    private static final String JNA_PROPERTIES = "jna.";

    /** JNA sets this itself. */
    private static final String JNA_LOADED = "jna.loaded";

    /** Two processes can't write one file. */
    private static final String PCAP = "io.verbs4j.rxe.pcap";

    /** Names a class archive that the JVM uses. */
    private static final String ARCHIVE = "io.verbs4j.tools.archive";

    /** JVM options that name a file or a port, which two processes can't share; the archive is passed separately. */
    private static final List<String> OF_ONE_PROCESS = List.of(
            "-Xlog",
            "-Xrun",
            "-Xdebug",
            "-XX:ArchiveClassesAtExit",
            "-XX:DumpLoadedClassList",
            "-XX:LogFile",
            "-XX:SharedArchiveFile",
            "-XX:StartFlightRecording");

    private static final int NATIVE_ACCESS_ASKED = 24;
    private static final int UNSAFE_WARNS = 23;

    private JavaCommand() {}

    static List<String> of(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options(ProcessHandle.current().info().arguments().orElse(new String[0])));
        command.addAll(flags(Runtime.version().feature()));
        String archive = System.getProperty(ARCHIVE);
        if (archive != null) {
            command.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
        }
        properties().forEach((name, value) -> command.add("-D" + name + "=" + value));
        String modules = System.getProperty("jdk.module.path");
        String main = System.getProperty("jdk.module.main");
        if (modules != null && main != null) {
            command.addAll(List.of("-p", modules, "-m", main + "/" + MAIN));
        } else {
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        }
        command.addAll(ProviderJars.arguments());
        command.addAll(arguments);
        return command;
    }

    /**
     * {@return the options of a JVM's command line that the second process needs too: memory, collector, compilers;
     * none if the system does not report the command line}
     */
    static List<String> options(String... commandLine) {
        return Stream.of(commandLine)
                .takeWhile(argument -> !MAIN.equals(argument) && !argument.equals("-m"))
                .filter(argument ->
                        argument.startsWith("-X") && OF_ONE_PROCESS.stream().noneMatch(argument::startsWith))
                .toList();
    }

    /** {@return the flags that keep a JVM of some release from warning about JNA} */
    static List<String> flags(int feature) {
        List<String> flags = new ArrayList<>();
        if (feature >= NATIVE_ACCESS_ASKED) {
            flags.add("--enable-native-access=ALL-UNNAMED");
        }
        if (feature >= UNSAFE_WARNS) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
        }
        return flags;
    }

    private static Map<String, String> properties() {
        Map<String, String> own = new TreeMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (isShared(name)) {
                own.put(name, System.getProperty(name));
            }
        }
        return own;
    }

    private static boolean isShared(String name) {
        return name.startsWith(OWN_PROPERTIES) && !name.equals(PCAP)
                || name.startsWith(JNA_PROPERTIES) && !name.equals(JNA_LOADED)
                || SHARED_PROPERTIES.contains(name);
    }
}
