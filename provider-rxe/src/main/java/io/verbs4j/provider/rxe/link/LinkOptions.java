/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.link;

import java.util.Locale;

/**
 * Options of a link. Immutable.
 *
 * @param kind the implementation
 * @param gso whether the kernel may cut batches into packets, if it can
 * @param gro whether the kernel may join received packets, if it can
 * @param receiveBufferBytes size of the socket's receive buffer, as far as the system allows
 * @param sendBufferBytes size of its send buffer
 * @param pcapFile file that receives all packets, or null
 * @param pcapLimit size in bytes at which the file becomes the previous one and a new file begins
 * @param faults faults to cause, or null
 * @param oneCopy whether processes of this machine may exchange packets without the network, if they can
 */
public record LinkOptions(
        Kind kind,
        boolean gso,
        boolean gro,
        int receiveBufferBytes,
        int sendBufferBytes,
        String pcapFile,
        long pcapLimit,
        String faults,
        boolean oneCopy) {
    /** Property: {@code auto}, {@code udp} or {@code nio}. */
    public static final String KIND_PROPERTY = "io.verbs4j.rxe.link";

    /** Property: whether to use UDP_SEGMENT, true or false. */
    public static final String GSO_PROPERTY = "io.verbs4j.rxe.gso";

    /** Property: whether to use UDP_GRO, true or false. */
    public static final String GRO_PROPERTY = "io.verbs4j.rxe.gro";

    /** Property: file that receives all packets. */
    public static final String PCAP_PROPERTY = "io.verbs4j.rxe.pcap";

    /** Property: maximum size of this file in bytes. */
    public static final String PCAP_LIMIT_PROPERTY = "io.verbs4j.rxe.pcaplimit";

    /** Property: faults to cause. */
    public static final String FAULT_PROPERTY = "io.verbs4j.rxe.faults";

    /** Property: whether processes of one machine exchange packets through shared memory, true or false. */
    public static final String ONE_COPY_PROPERTY = "io.verbs4j.rxe.onecopy";

    /** Property: size of the socket's receive buffer in bytes. */
    public static final String RECEIVE_BUFFER_PROPERTY = "io.verbs4j.rxe.rcvbuf";

    /** Property: size of the socket's send buffer in bytes. */
    public static final String SEND_BUFFER_PROPERTY = "io.verbs4j.rxe.sndbuf";

    private static final int BUFFER_BYTES = 4 << 20;
    private static final long PCAP_BYTES = 1L << 30;

    /** Implementation of a link. */
    public enum Kind {
        /** The best one available on this machine. */
        AUTO,
        /** Linux's system calls. */
        UDP,
        /** The JDK's channels. */
        NIO
    }

    /**
     * Returns the options used unless properties change them.
     *
     * @return the defaults
     */
    public static LinkOptions defaults() {
        return new LinkOptions(Kind.AUTO, true, true, BUFFER_BYTES, BUFFER_BYTES, null, PCAP_BYTES, null, true);
    }

    /**
     * Returns the defaults, changed by the system properties of this class.
     *
     * @return the options
     * @throws IllegalArgumentException if a property has an invalid value
     */
    public static LinkOptions fromProperties() {
        String kind = System.getProperty(KIND_PROPERTY, "auto").trim().toLowerCase(Locale.ROOT);
        return new LinkOptions(
                kind(kind),
                truth(GSO_PROPERTY),
                truth(GRO_PROPERTY),
                (int) size(RECEIVE_BUFFER_PROPERTY, BUFFER_BYTES, Integer.MAX_VALUE),
                (int) size(SEND_BUFFER_PROPERTY, BUFFER_BYTES, Integer.MAX_VALUE),
                nonEmpty(PCAP_PROPERTY),
                size(PCAP_LIMIT_PROPERTY, PCAP_BYTES, Long.MAX_VALUE),
                nonEmpty(FAULT_PROPERTY),
                truth(ONE_COPY_PROPERTY));
    }

    private static Kind kind(String text) {
        for (Kind k : Kind.values()) {
            if (k.name().toLowerCase(Locale.ROOT).equals(text)) {
                return k;
            }
        }
        throw new IllegalArgumentException(KIND_PROPERTY + "=" + text + ": use auto, udp or nio");
    }

    private static boolean truth(String property) {
        String text = System.getProperty(property, "true").trim();
        switch (text) {
            case "true":
                return true;
            case "false":
                return false;
            default:
                throw new IllegalArgumentException(property + "=" + text + ": use true or false");
        }
    }

    private static long size(String property, long usual, long most) {
        String text = nonEmpty(property);
        try {
            long n = text == null ? usual : Long.parseLong(text);
            if (n > 0 && n <= most) {
                return n;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(property + "=" + text + ": use a number of bytes", e);
        }
        throw new IllegalArgumentException(property + "=" + text + ": use a number of bytes above 0"
                + (most == Long.MAX_VALUE ? "" : ", at most " + most));
    }

    private static String nonEmpty(String property) {
        String text = System.getProperty(property, "").trim();
        return text.isEmpty() ? null : text;
    }

    /**
     * Returns these options with another implementation.
     *
     * @param newKind the implementation
     * @return new options
     */
    public LinkOptions withKind(Kind newKind) {
        return new LinkOptions(
                newKind, gso, gro, receiveBufferBytes, sendBufferBytes, pcapFile, pcapLimit, faults, oneCopy);
    }

    /**
     * Returns these options with or without the kernel's segmentation offloads.
     *
     * @param newGso for sending
     * @param newGro for receiving
     * @return new options
     */
    public LinkOptions withOffload(boolean newGso, boolean newGro) {
        return new LinkOptions(
                kind, newGso, newGro, receiveBufferBytes, sendBufferBytes, pcapFile, pcapLimit, faults, oneCopy);
    }

    /**
     * Returns these options with packets written to a file.
     *
     * @param file its name, or null
     * @return new options
     */
    public LinkOptions withPcapFile(String file) {
        return new LinkOptions(kind, gso, gro, receiveBufferBytes, sendBufferBytes, file, pcapLimit, faults, oneCopy);
    }

    /**
     * Returns these options with faults.
     *
     * @param text the faults, or null
     * @return new options
     */
    public LinkOptions withFaults(String text) {
        return new LinkOptions(kind, gso, gro, receiveBufferBytes, sendBufferBytes, pcapFile, pcapLimit, text, oneCopy);
    }

    /**
     * Returns these options with or without one copy.
     *
     * @param value whether to use one copy
     * @return new options
     */
    public LinkOptions withOneCopy(boolean value) {
        return new LinkOptions(kind, gso, gro, receiveBufferBytes, sendBufferBytes, pcapFile, pcapLimit, faults, value);
    }

    /**
     * Returns why these options rule out one copy.
     *
     * @return the reason, or null if they allow it
     */
    public String oneCopyProblem() {
        if (!oneCopy) {
            return ONE_COPY_PROPERTY + " is false";
        }
        return kind == Kind.NIO
                ? KIND_PROPERTY + " is nio"
                : pcapFile != null
                        ? PCAP_PROPERTY + " must capture all packets"
                        : faults != null ? FAULT_PROPERTY + " must damage packets" : null;
    }
}
