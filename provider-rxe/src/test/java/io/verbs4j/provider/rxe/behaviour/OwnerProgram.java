/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.behaviour;

import io.verbs4j.AccessFlags;
import io.verbs4j.AllocDmAttr;
import io.verbs4j.Context;
import io.verbs4j.DeviceMemory;
import io.verbs4j.ExportedFd;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.ReregFlags;
import io.verbs4j.VerbsException;
import io.verbs4j.VerbsLevel;
import io.verbs4j.core.Verbs;
import io.verbs4j.provider.rxe.link.ProcessControl;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Exports a context with a domain, a region and device memory to another process, and carries out its commands line by
 * line.
 */
public final class OwnerProgram {
    static final int ACCESS = Side.ALL_ACCESS | AccessFlags.FLUSH_GLOBAL;

    private final Context context = Verbs.open(Verbs.devices().get(0), VerbsLevel.CURRENT);
    private final ProtectionDomain pd = context.allocPd();
    private final ProtectionDomain otherPd = context.allocPd();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(TwoSides.BYTES);
    private final MemoryRegion mr = pd.regMr(buffer, ACCESS);
    private final DeviceMemory dm = context.allocDm(new AllocDmAttr().length(4096));
    private final ExportedFd fd = context.exportDevice();

    private OwnerProgram() {}

    /** Runs until its input ends. */
    public static void main(String[] args) throws IOException {
        OwnerProgram owner = new OwnerProgram();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(owner.answer(line.split(" ", -1)));
        }
    }

    private String answer(String[] words) {
        try {
            return switch (words[0]) {
                case "about" -> about();
                case "region" -> describe(mr);
                case "fill" -> fill(number(words[1]));
                case "find" -> find(number(words[1]), number(words[2]), number(words[3]), number(words[4]));
                case "byte" -> Integer.toString(buffer.get(number(words[1])));
                case "dmbyte" -> dmByte(number(words[1]));
                case "forbid" -> {
                    ProcessControl.forbidReading();
                    yield "ok";
                }
                case "rereg" -> {
                    mr.rereg(ReregFlags.CHANGE_ACCESS, null, 0, 0, ACCESS);
                    yield describe(mr);
                }
                case "close" -> {
                    switch (words[1]) {
                        case "mr" -> mr.close();
                        case "dm" -> dm.close();
                        case "otherpd" -> otherPd.close();
                        default -> context.close();
                    }
                    yield "ok";
                }
                default -> throw new IllegalArgumentException(words[0]);
            };
        } catch (VerbsException e) {
            return "errno " + e.errno();
        }
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    private String about() {
        return fd.fd() + " " + pd.exportHandle() + " " + otherPd.exportHandle() + " " + dm.exportHandle();
    }

    private static String describe(MemoryRegion mr) {
        return mr.exportHandle() + " " + mr.addr() + " " + mr.lkey() + " " + mr.rkey();
    }

    private String fill(int seed) {
        for (int i = 0; i < buffer.capacity(); i++) {
            buffer.put(i, Side.pattern(seed, i));
        }
        return "ok";
    }

    /** Looks for a pattern as {@link Side#assertPattern} does. */
    private String find(int offset, int seed, int from, int length) {
        for (int i = 0; i < length; i++) {
            if (buffer.get(offset + i) != Side.pattern(seed, from + i)) {
                return "byte " + i + " is " + buffer.get(offset + i);
            }
        }
        return "ok";
    }

    private String dmByte(int offset) {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        return dm.copyFrom(one, offset) + " " + one.get(0);
    }
}
