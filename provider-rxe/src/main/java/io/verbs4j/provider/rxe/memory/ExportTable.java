/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
package io.verbs4j.provider.rxe.memory;

/** Tells other processes of the objects that they can import, by their numbers. Any thread may call. */
public interface ExportTable extends AutoCloseable {
    /** Kinds of objects. */
    enum Kind {
        /** A protection domain: neither memory nor keys. */
        DOMAIN(1, "protection domain"),
        /** A memory region. */
        REGION(2, "memory region"),
        /** Memory of the device: no keys. */
        DEVICE_MEMORY(3, "memory of the device");

        /** Its number among them, below 256. */
        public final int number;

        /** What messages call it. */
        public final String text;

        Kind(int number, String text) {
            this.number = number;
            this.text = text;
        }
    }

    /**
     * What is told of an object.
     *
     * @param kind what it is
     * @param domain number of its domain; 0 where it has none
     * @param address where its memory is
     * @param name what the first byte is called
     * @param length length in bytes
     * @param access {@link io.verbs4j.AccessFlags} bits
     * @param lkey its local key
     * @param rkey its remote key
     */
    record Entry(Kind kind, int domain, long address, long name, long length, int access, int lkey, int rkey) {
        /** Of a domain. */
        static Entry ofDomain() {
            return new Entry(Kind.DOMAIN, 0, 0, 0, 0, 0, 0, 0);
        }

        /** Of memory of the device. */
        static Entry ofDeviceMemory(long address, long length) {
            return new Entry(Kind.DEVICE_MEMORY, 0, address, 0, length, 0, 0, 0);
        }
    }

    /**
     * Tells of an object; does nothing where that was done.
     *
     * @throws io.verbs4j.VerbsException ENOMEM where there are too many
     */
    void put(int number, Entry entry);

    /**
     * Takes an object back: no process uses it when this returns.
     *
     * @param verb what for
     * @throws io.verbs4j.VerbsException EBUSY where a process holds it, and then it is as before; EBUSY also where one that was
     *     stopped might still write, and then it is taken back, but its memory must stay
     */
    void end(String verb, int number);

    /** A new descriptor, by which another process finds all this. */
    io.verbs4j.ExportedFd newDescriptor();

    /** Takes everything back. */
    @Override
    void close();
}
