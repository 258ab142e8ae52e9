/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.devicecode.lanes;

import io.verbs4j.devicecode.DeviceCode;
import io.verbs4j.testsupport.program.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compiles device code as strictly as compilers can, for each language that this machine has a compiler for. */
public final class TextCompilers {
    static final int SECONDS = 120;

    private static final List<String> C = List.of(
            "gcc",
            "-std=c11",
            "-ffreestanding",
            "-nostdinc",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Wconversion",
            "-Wshadow",
            "-Werror",
            "-c",
            "-o",
            "/dev/null");
    private static final List<String> ARM = List.of(
            "aarch64-linux-gnu-gcc",
            "-std=c11",
            "-ffreestanding",
            "-nostdinc",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-c",
            "-o",
            "/dev/null");
    private static final List<String> CPP = List.of(
            "g++", "-std=c++17", "-ffreestanding", "-O2", "-Wall", "-Wextra", "-Werror", "-c", "-o", "/dev/null");
    private static final List<String> ARCHITECTURES = List.of("sm_75", "sm_80", "sm_90");

    /** Uses each function, so that each is compiled. */
    private static final String USES = """
            v4j_u64 use(struct v4j_ring *ring, const struct v4j_peer *to, struct v4j_completion *c) {
                v4j_u64 at = v4j_dev_check(ring) == V4J_DEV_OK && v4j_dev_can(ring, V4J_DEV_WRITE)
                    ? v4j_dev_reserve(ring, 6) : V4J_DEV_FULL;
                int bad;
                if (at == V4J_DEV_FULL) {
                    return 0;
                }
                bad = v4j_dev_post_write(ring, at, V4J_DEV_SIGNALED, to, 1, 2, 3, 4, 5);
                bad |= v4j_dev_post_write_imm(ring, at + 1, 0, to, 1, 2, 3, 4, 5, 6);
                bad |= v4j_dev_post_read(ring, at + 2, V4J_DEV_FENCE, to, 1, 2, 3, 4, 5);
                bad |= v4j_dev_post_send(ring, at + 3, V4J_DEV_SOLICITED, to, 1, 2, 3);
                bad |= v4j_dev_post_send_imm(ring, at + 4, 0, to, 1, 2, 3, 4);
                bad |= v4j_dev_post_atomic_add(ring, at + 5, 0, to, 1, 2, 3, 4, 5);
                v4j_dev_ready(ring, at, 6);
                v4j_dev_ring(ring);
                return v4j_dev_poll(ring, c) && !bad ? c->at : 0;
            }
            """;

    private TextCompilers() {}

    /**
     * Compiles a vendor's text as C and C++, as CUDA if nvcc is installed, and for a second processor. Skips what
     * remains of the test if gcc, or that for the other processor, is not installed.
     */
    public static void all(Path folder, DeviceCode code) throws IOException, InterruptedException {
        c(folder, code, USES);
        if (Program.isOnPath("g++")) {
            compile(folder, code, "uses.cc", USES, CPP);
        }
        if (Program.isOnPath("nvcc")) {
            for (String architecture : ARCHITECTURES) {
                cuda(folder, code, architecture);
            }
            lanes(folder, code);
        }
        compile(folder, code, "uses-arm.c", USES, ARM);
    }

    /** Compiles a CUDA program that includes {@code V4J_HEADER}, if nvcc is installed. */
    public static void cudaIfInstalled(Path folder, DeviceCode code, String text)
            throws IOException, InterruptedException {
        if (Program.isOnPath("nvcc")) {
            List<String> nvcc = List.of(
                    "nvcc", "--std=c++17", "-arch", ARCHITECTURES.get(0), "-ptx", "-o", "" + folder.resolve("a.ptx"));
            List<String> command = new ArrayList<>(nvcc);
            command.add("-DV4J_HEADER=\"" + code.header() + "\"");
            compile(folder, code, "program.cu", text, command);
        }
    }

    /** Compiles a C text that includes a vendor's header; fails with gcc's message, and is skipped without gcc. */
    public static void c(Path folder, DeviceCode code, String text) throws IOException, InterruptedException {
        compile(folder, code, "uses.c", text, C);
    }

    /** The PTX orders stores for the whole system, and stores to the register as to a device. */
    private static void cuda(Path folder, DeviceCode code, String architecture)
            throws IOException, InterruptedException {
        Path ptx = folder.resolve(architecture + ".ptx");
        String kernel = "__device__ " + USES + """
                extern "C" __global__ void lane(struct v4j_ring *r, const struct v4j_peer *to,
                                                struct v4j_completion *c) {
                    c->at = use(r, to, c);
                }
                """;
        compile(
                folder,
                code,
                "uses.cu",
                kernel,
                List.of(
                        "nvcc",
                        "--std=c++17",
                        "-Werror",
                        "all-warnings",
                        "-arch",
                        architecture,
                        "-ptx",
                        "-o",
                        "" + ptx));
        String text = Files.readString(ptx);
        String vendor = code.texts().get(code.header());
        List<String> needed = new ArrayList<>(List.of("ld.acquire.sys", "st.release.sys", "atom.acq_rel.sys"));
        if (vendor.contains("v4j_order(")) {
            needed.add("fence.acq_rel.sys");
        }
        if (vendor.contains("v4j_register")) {
            needed.add("st.mmio.relaxed.sys");
        }
        for (String one : needed) {
            require(text.contains(one), architecture + ": the PTX lacks " + one + " in\n" + text);
        }
    }

    /** The kernels of tests on a GPU. */
    private static void lanes(Path folder, DeviceCode code) throws IOException, InterruptedException {
        code.writeTo(folder);
        Files.writeString(folder.resolve("job.h"), Lanes.resource("job.h"));
        Path source = Files.writeString(folder.resolve("lanes.cu"), Lanes.resource("lanes.cu"));
        List<String> command = new ArrayList<>(Lanes.CUDA);
        command.set(command.indexOf("native"), ARCHITECTURES.get(0));
        command.add("-DV4J_TEXT=\"" + code.header() + "\"");
        command.addAll(List.of("-o", "" + folder.resolve("lanes.so")));
        run(command, source);
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    private static void compile(Path folder, DeviceCode code, String name, String text, List<String> compiler)
            throws IOException, InterruptedException {
        code.writeTo(folder);
        Path source = folder.resolve(name);
        Files.writeString(source, "#include \"" + code.header() + "\"\n" + text);
        run(compiler, source);
    }

    private static void run(List<String> compiler, Path source) throws IOException, InterruptedException {
        Program.assumeOnPath(compiler.get(0));
        List<String> command = new ArrayList<>(compiler);
        command.addAll(List.of("-I", source.getParent().toString(), source.toString()));
        Program.Result result = Program.run(command, SECONDS);
        require(result.status() == 0, command + " failed:\n" + String.join("\n", result.lines()));
    }
}
