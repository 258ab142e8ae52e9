/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/** Programs for the guest that ask the kernel's device one thing each. */
package io.verbs4j.compat.guest.programs;
