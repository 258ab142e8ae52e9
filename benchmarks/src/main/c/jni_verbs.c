/* Copyright the verbs4j authors. SPDX-License-Identifier: Apache-2.0 */
/*
 * What a JNI call costs that is handed a work request, or room for completions, ready-made in native memory: the way of DiSNI's
 * stateful verbs. The pair, what is done around the calls, and the checks are those of the C program; only the loop that is timed
 * is Java's.
 */
#include "verbs.h"

#include <jni.h>
#include <stdlib.h>

struct timed {
	struct pair pair;
	const struct verb *verb;
};

static struct timed *at(jlong address)
{
	return (struct timed *)(uintptr_t)address;
}

JNIEXPORT jint JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_postSend(JNIEnv *env, jclass type, jlong qp, jlong wr)
{
	struct ibv_send_wr *bad;

	(void)env, (void)type;
	return ibv_post_send((struct ibv_qp *)(uintptr_t)qp, (struct ibv_send_wr *)(uintptr_t)wr, &bad);
}

JNIEXPORT jint JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_pollCq(JNIEnv *env, jclass type, jlong cq, jint n, jlong wc)
{
	(void)env, (void)type;
	return ibv_poll_cq((struct ibv_cq *)(uintptr_t)cq, n, (struct ibv_wc *)(uintptr_t)wc);
}

JNIEXPORT jlong JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_open(JNIEnv *env, jclass type, jstring name)
{
	const char *chars = (*env)->GetStringUTFChars(env, name, NULL);
	struct timed *t = calloc(1, sizeof *t);

	(void)type;
	if (!chars || !t)
		fail("no memory", "for the pair");
	t->verb = find_verb(chars);
	if (!t->verb)
		fail(chars, "there is no such verb");
	(*env)->ReleaseStringUTFChars(env, name, chars);
	open_pair(&t->pair);
	return (jlong)(uintptr_t)t;
}

JNIEXPORT void JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_close(JNIEnv *env, jclass type, jlong address)
{
	(void)env, (void)type;
	close_pair(&at(address)->pair);
	free(at(address));
}

JNIEXPORT void JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_before(JNIEnv *env, jclass type, jlong address)
{
	(void)env, (void)type;
	at(address)->verb->before(&at(address)->pair);
}

/* Told what the calls that were timed have answered, as C's are. */
JNIEXPORT void JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_after(JNIEnv *env, jclass type, jlong address, jint error, jint polled,
	jlong ids)
{
	struct timed *t = at(address);

	(void)env, (void)type;
	t->pair.error |= error;
	t->pair.polled = polled;
	t->pair.ids = (uint64_t)ids;
	t->verb->after(&t->pair);
}

JNIEXPORT jlong JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_qp(JNIEnv *env, jclass type, jlong address)
{
	(void)env, (void)type;
	return (jlong)(uintptr_t)at(address)->pair.from.qp;
}

JNIEXPORT jlong JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_sendCq(JNIEnv *env, jclass type, jlong address)
{
	(void)env, (void)type;
	return (jlong)(uintptr_t)at(address)->pair.from.sends;
}

/* The i-th of the work requests of this verb: of lists that are linked the first of one. */
JNIEXPORT jlong JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_request(JNIEnv *env, jclass type, jlong address, jint i, jint kind)
{
	struct pair *p = &at(address)->pair;
	struct ibv_send_wr *const kinds[] = {p->writes, p->write_list, p->sends};

	(void)env, (void)type;
	return (jlong)(uintptr_t)&kinds[kind][i];
}

/* Room for BATCH completions. */
JNIEXPORT jlong JNICALL Java_io_verbs4j_benchmarks_rdmacore_Jni_completions(JNIEnv *env, jclass type, jlong address)
{
	(void)env, (void)type;
	return (jlong)(uintptr_t)at(address)->pair.wc;
}
