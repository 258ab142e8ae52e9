/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * How processes of one user find each other: files in a folder that is theirs alone.
 *
 * <pre>
 *   UserFolder      the folder, and a lock on it
 *   OwnedFile       a file of a line, which counts as long as the process lives that wrote it
 *   FileKeeper      keeps files from cleaners of temporary files, or makes them again
 *   PortNames       the UDP port of each GID, where a machine has no address for each process
 *   WatchFolder     the counters of running devices, while somebody watches them
 *   OwnNamespaces   what the same numbers mean the same in
 * </pre>
 */
package io.verbs4j.provider.rxe.files;
