/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * One copy: how two devices of one machine move packets and payload without the system's network, if their processes
 * may read each other. For each direction there is a ring of packets in memory that both have mapped. Large payload
 * stays in place, and the receiver copies it out of the sender's process. Packets have the format of the wire, without
 * an ICRC; the package {@code packet} processes them.
 *
 * <p>How two devices find each other: for each of its addresses, a process publishes in a folder of its user its
 * process number, a random number, and where that lies in its memory ({@link io.verbs4j.provider.rxe.share.Directory}).
 * A process that reads the random number there knows that it found the right process, that this one lives, and that the
 * system allows reading. The sender makes a ring and announces it by a datagram. The receiver checks on its own that
 * the sender has that address, maps the ring and accepts it. Until then, and whenever anything prevents it, packets use
 * the socket.
 *
 * <pre>
 * ring (memfd, sealed so that it cannot shrink; native byte order)
 *      0 magic   8 number of the ring   16 bytes of the data
 *     64 state: 0 offered, 1 accepted, 2 ended   72 place              written by the receiver
 *     80 what the receiver can do: bit 0 spans that answer reads, bit 1 receipts   written by the receiver
 *    128 tail: total bytes written      136 epoch of spans              written by the sender
 *    144 what the sender does: bit 0 shows records by their first word  written by the sender
 *    192 head: total bytes taken out    200 whether a span is copied    written by the receiver
 *    256 60 receipts, each in 64 bytes                                written by the receiver
 *   4096 data: records one after the other, wrapping around
 *
 * record, a multiple of 8; its first word is written last, and the word behind the last record is 0
 *      0 length of the packet(4)   4 kind: 1 packet, 2 span, 3 rest up to the end is unused;
 *                                    plus 256: packets went through the socket before it
 *                                    plus 512 times the receipt that the packet asks for: its place, from 1(6 bits),
 *                                    and the number of its user(16 bits); 0 asks for none
 *      8 packet, from BTH to where the ICRC would be
 *   span, after the packet at a multiple of 8: a part of a message, or of the answer to a read,
 *   that replaces many packets, by its location
 *      0 epoch   8 bytes   16 pieces   24 address, length of each
 *
 * receipt, an acknowledgement of an RC packet without a packet
 *      0 PSN(24 bits), a bit that is 1, 7 bits that are 0, number of the user(32 bits)
 *
 * mailbox (memfd, sealed) of an address
 *      0 magic   64 whether nobody polls and a datagram must wake the receiver
 *     72 whether there are many rings, so that senders must set the bit of their place at 128 and up
 * </pre>
 *
 * <p>Each side keeps its own position and accepts the other's only if it is plausible. A record is copied before it is
 * checked. A span is valid only in the epoch in which it was made: code that takes memory back ({@code deregMr}, a
 * queue pair that ends) begins another epoch and waits for a copy in progress. A span that is no longer valid counts as
 * a lost packet.
 *
 * <p>A sender looks at its receipts whenever it receives packets. If it sleeps, a receiver that has written one wakes
 * it. If the receiver can't do that, it acknowledges by a packet: every record that names a receipt asks for one as
 * well. A receipt may be seen before the answer to an earlier read; the sender then waits for that answer. A receipt
 * names its user by a number, because a record of an earlier user of the place may still be in the ring.
 *
 * <p>The package also implements imported memory regions of another process: {@link
 * io.verbs4j.provider.rxe.share.ExportedObjects} is the owner's side, {@link
 * io.verbs4j.provider.rxe.share.ImportedProcess} the importer's, and {@link io.verbs4j.provider.rxe.share.ExportLayout}
 * the layout of the memory they share. An importer writes to the owner's memory itself. The two sides synchronize as
 * follows; each step is visible to the other side before the next one begins:
 *
 * <pre>
 *   importer                                  owner
 *   announce a write through the entry        set the entry to 0
 *   if the entry is unchanged, write          wait while an importer announces a write through it
 *   withdraw the announcement
 * </pre>
 *
 * <p>Reads are not announced: the importer checks the entry again after each read.
 */
package io.verbs4j.provider.rxe.share;
