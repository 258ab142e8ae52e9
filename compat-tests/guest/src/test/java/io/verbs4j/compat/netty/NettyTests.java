/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.compat.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.compat.built.TestClasses;
import io.verbs4j.netty.VerbsSocketChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The names of Netty's own tests for {@code TestsMain}, as verbs-netty runs them, and the expected results. */
public final class NettyTests {
    /** The number of tests in {@link #FEW}. */
    public static final int FEW_COUNT = 29;

    private static final String PACKAGE = "io.verbs4j.netty.";
    private static final String SUITE = PACKAGE + "suite.";

    /** What most programs do: connect, be refused, talk in both directions, with TLS as well, and close one by one. */
    public static final List<String> FEW = List.of(
            SUITE + "SocketConnectTest",
            SUITE + "SocketConnectionAttemptTest",
            SUITE + "SocketEchoTest",
            SUITE + "SocketFixedLengthEchoTest",
            SUITE + "SocketStringEchoTest",
            SUITE + "SocketAutoReadTest",
            SUITE + "SocketHalfClosedTest",
            SUITE + "SocketSslEchoTest#testSslEcho(io.netty.handler.ssl.SslContext, io.netty.handler.ssl.SslContext,"
                    + " io.netty.testsuite.transport.socket.SocketSslEchoTest$Renegotiation,"
                    + " boolean, boolean, boolean, boolean, boolean, org.junit.jupiter.api.TestInfo)@0");

    /** The number of tests in {@link #all}. */
    public static final int ALL_COUNT = 174;

    /** The test listed in docs/internals/netty.md, and the classes of which no test runs. */
    private static final Set<String> WITHOUT_TESTS = Set.of(
            "NotRunTest",
            "ServerSocketSuspendTest",
            "SocketShutdownOutputBySelfTest",
            "SocketSslClientRenegotiateTest");

    /** The transport's own tests of closing. */
    public static final List<String> CLOSE = List.of(PACKAGE + "CloseTest");

    /** The number of tests in {@link #CLOSE}. */
    public static final int CLOSE_COUNT = 53;

    /** Those in which a connection may end before the server knows that it is complete. */
    public static final List<String> CLOSE_EARLY = List.of(
            PACKAGE + "CloseTest#immediateCloseByServerEndsClient",
            PACKAGE + "CloseTest#endInFlightArrivesAfterCloseWithoutLinger",
            PACKAGE + "CloseTest#onlyDataInFlightArrivesAfterCloseWithoutLinger(boolean)",
            PACKAGE + "CloseTest#peerReceivesAllThatWasWrittenBeforeClose");

    /** The number of tests in {@link #CLOSE_EARLY}. */
    public static final int CLOSE_EARLY_COUNT = 47;

    /** The transport's own tests that do not depend on another device. */
    public static final List<String> OWN = List.of(
            PACKAGE + "AllocatorTest",
            PACKAGE + "CloseTest",
            PACKAGE + "EarlyWriteTest",
            PACKAGE + "EchoTest",
            PACKAGE + "FlowTest",
            PACKAGE + "ManyConnectionsTest",
            PACKAGE + "SharedReceivePoolTest");

    /** The number of tests in {@link #OWN}. */
    public static final int OWN_COUNT = 81;

    private NettyTests() {}

    /** {@return the class path that they need} */
    public static String classPath() {
        return TestClasses.path(VerbsSocketChannel.class);
    }

    /** {@return each class of the suite that has tests} */
    public static List<String> all() throws IOException {
        Path folder = TestClasses.of(VerbsSocketChannel.class).resolve(SUITE.replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\w+Test\\.class"))
                    .map(name -> name.replace(".class", ""))
                    .filter(name -> !WITHOUT_TESTS.contains(name))
                    .map(name -> SUITE + name)
                    .sorted()
                    .toList();
        }
    }

    /**
     * Checks that all tests ran and passed.
     *
     * @param lines the output of {@code TestsMain}
     * @param tests its arguments
     * @param count the number of tests in these
     */
    public static void requirePassed(List<String> lines, List<String> tests, int count) {
        List<String> passed =
                lines.stream().filter(line -> line.startsWith("pass\t")).toList();
        assertThat(lines)
                .as("outcomes")
                .noneMatch(line -> line.startsWith("fail\t") || line.startsWith("skip\t"))
                .contains("done\t" + passed.size());
        assertThat(passed).as("tests that passed").hasSizeGreaterThanOrEqualTo(count);
        for (String test : tests) {
            String name = test.replaceAll("#.*", "").replaceAll(".*\\.", "");
            assertThat(passed).as(test).anyMatch(line -> line.startsWith("pass\t" + name + "."));
        }
    }
}
