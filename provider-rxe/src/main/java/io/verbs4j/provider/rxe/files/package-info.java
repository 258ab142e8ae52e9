/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * How processes of one user find each other: files in a folder that only this user can enter.
 *
 * <pre>
 *   UserFolder      the folder, and a lock on it
 *   OwnedFile       a one-line file, valid as long as the process that wrote it lives
 *   FileKeeper      protects files from cleaners of temporary files, and recreates them
 *   PortNames       the UDP port of each GID, on machines without an address for each process
 *   WatchFolder     the counters of running devices, while a program watches them
 *   OwnNamespaces   the namespaces in which addresses and process numbers are unique
 * </pre>
 */
package io.verbs4j.provider.rxe.files;
